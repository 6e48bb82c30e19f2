// A piece that one of JupyterLab's own renderers draws.

import type { IRenderMimeRegistry } from '@jupyterlab/rendermime';
import type { ReadonlyPartialJSONObject } from '@lumino/coreutils';
import { MessageLoop } from '@lumino/messaging';
import { Widget } from '@lumino/widgets';
import * as React from 'react';

interface Props {
  readonly rendermime: IRenderMimeRegistry;
  readonly mimeType: string;
  readonly data: string | ReadonlyPartialJSONObject;
  readonly options?: ReadonlyPartialJSONObject;
  readonly className: string;
  readonly label?: string;
  /** Whether it scrolls, so that the keyboard has to reach it. */
  readonly focusable?: boolean;
  readonly onWidth?: () => void;
  /** A click on an element of what was drawn. */
  readonly onPress?: ((target: EventTarget) => void) | undefined;
}

export function Rendered({
  rendermime,
  mimeType,
  data,
  options,
  className,
  label,
  focusable,
  onWidth,
  onPress
}: Props): JSX.Element {
  const place = React.useRef<HTMLDivElement>(null);
  // the same content is drawn once, however often the card around it is painted
  const content = JSON.stringify([data, options ?? {}]);
  React.useLayoutEffect(() => {
    const node = place.current;
    if (node === null) {
      return;
    }
    const [drawn, embed] = JSON.parse(content) as [Props['data'], ReadonlyPartialJSONObject];
    let renderer: Widget | null = null;
    let width = 0;
    // the notebook makes cards before they are on the page; nothing can be attached or measured before it is laid out
    const observer = new ResizeObserver(() => {
      if (renderer === null && node.isConnected) {
        renderer = draw(rendermime, mimeType, drawn, embed, node);
      } else if (renderer !== null && node.clientWidth !== width) {
        onWidth?.();
        reach(node);
      }
      width = node.clientWidth;
    });
    observer.observe(node);
    return () => {
      observer.disconnect();
      if (renderer !== null) {
        dispose(renderer);
      }
    };
  }, [rendermime, mimeType, content, onWidth]);
  return (
    <div
      className={className}
      ref={place}
      {...(focusable ? { tabIndex: 0 } : {})}
      data-opens={onPress !== undefined}
      onClick={event => onPress?.(event.target)}
      {...(label === undefined ? {} : { role: 'img', 'aria-label': label })}
    />
  );
}

/** A piece that cannot be drawn says so in its place, and the card around it stays. */
function draw(
  rendermime: IRenderMimeRegistry,
  mimeType: string,
  data: Props['data'],
  options: ReadonlyPartialJSONObject,
  node: HTMLElement
): Widget {
  const renderer = rendermime.createRenderer(mimeType);
  const model = rendermime.createModel({
    data: { [mimeType]: data },
    metadata: { [mimeType]: options },
    trusted: false
  });
  Widget.attach(renderer, node);
  renderer
    .renderModel(model)
    .then(() => reach(node))
    .catch((reason: unknown) => {
      if (!renderer.isDisposed) {
        node.textContent = `This part cannot be drawn: ${String(reason)}`;
      }
    });
  return renderer;
}

/** Code that scrolls must be reached by the keyboard. */
function reach(node: HTMLElement): void {
  for (const code of node.querySelectorAll('pre')) {
    const scrolls = code.scrollWidth > code.clientWidth || code.scrollHeight > code.clientHeight;
    if (scrolls) {
      code.tabIndex = 0;
    } else {
      code.removeAttribute('tabindex');
    }
  }
}

/** Lumino refuses to detach what is no longer in the page, and React may have taken the place away already. */
function dispose(renderer: Widget): void {
  if (renderer.isAttached && !renderer.node.isConnected) {
    MessageLoop.sendMessage(renderer, Widget.Msg.AfterDetach);
  }
  renderer.dispose();
}
