// A sentence from the kernel, with its names in backticks shown as code.

import * as React from 'react';

export function Phrase({ text }: { text: string }): JSX.Element {
  return <>{text.split('`').map((part, index) => (index % 2 === 1 ? <code key={index}>{part}</code> : part))}</>;
}
