// What stands in the place of a view that cannot be drawn: a notebook can hold anything.

import * as React from 'react';

const DAMAGED = 'This answer cannot be shown: what the notebook holds of it is damaged. Run the cell again.';

interface Props {
  /** What is drawn; something else is tried again. */
  readonly content: unknown;
  readonly children: React.ReactNode;
}

/** A view, or a sentence in its place where it fails; React would leave nothing at all. */
export class Intact extends React.Component<Props, { readonly failed: boolean }> {
  static getDerivedStateFromError(): { readonly failed: boolean } {
    return { failed: true };
  }

  override state = { failed: false };

  override componentDidUpdate({ content }: Props): void {
    if (this.state.failed && content !== this.props.content) {
      this.setState({ failed: false });
    }
  }

  override render(): React.ReactNode {
    return this.state.failed ? <p role="alert">{DAMAGED}</p> : this.props.children;
  }
}
