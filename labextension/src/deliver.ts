// Hands over what was fetched or drawn: to the clipboard, or as a file that the browser saves.

import { Clipboard } from '@jupyterlab/apputils';

import type { Fetched } from './messages';

/** Browsers begin to read a file at once, and some only after the click is over. */
const READ_BY = 1000;

export function deliver({ form, name, content }: Fetched): void {
  const bytes = Uint8Array.from(atob(content), sign => sign.charCodeAt(0));
  if (form === 'tsv') {
    Clipboard.copyToSystem(new TextDecoder().decode(bytes));
  } else {
    save(name, new Blob([bytes]));
  }
}

export function save(name: string, content: Blob): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), READ_BY);
}
