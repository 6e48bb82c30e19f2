// A group of fields that Enter sends and Escape closes; the notebook takes Enter from a form of the browser's own.

import * as React from 'react';

interface Props {
  readonly label?: string;
  readonly className: string;
  readonly children: React.ReactNode;
  send(): void;
  close(): void;
}

export function Fields({ label, className, children, send, close }: Props): JSX.Element {
  const place = React.useRef<HTMLDivElement>(null);
  React.useEffect(() => place.current?.querySelector<HTMLElement>('button, input')?.focus({ preventScroll: true }), []);
  return (
    <div
      ref={place}
      className={className}
      {...(label === undefined ? {} : { role: 'group', 'aria-label': label })}
      onKeyDown={event => {
        if (event.key === 'Escape') {
          event.stopPropagation();
          close();
        } else if (event.key === 'Enter' && event.target instanceof HTMLInputElement) {
          event.preventDefault();
          send();
        }
      }}
    >
      {children}
    </div>
  );
}
