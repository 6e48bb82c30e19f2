// Hands over what was fetched or drawn: to the clipboard, or as a file that the browser saves.

import type { Fetched, ToPage } from './messages';

/** Browsers begin to read a file at once, and some only after the click is over. */
const READ_BY = 1000;
const NOT_COPIED = 'The browser did not let the rows be copied. Press Copy again, or save them as CSV.';

/** Returns what there is to say of it: that it was handed over, or why not. */
export async function deliver(fetched: Fetched): Promise<ToPage> {
  const { form, name, content, card_id } = fetched;
  const bytes = Uint8Array.from(atob(content), sign => sign.charCodeAt(0));
  if (form !== 'tsv') {
    save(name, new Blob([bytes]));
    return fetched;
  }
  const isCopied = await copied(new TextDecoder().decode(bytes));
  return isCopied ? fetched : { kind: 'refused', card_id, message: NOT_COPIED, looked: true };
}

/** Copies a text, and tells whether the browser let it. Pages without encryption have the older way only. */
export async function copied(text: string): Promise<boolean> {
  const { clipboard } = navigator as { clipboard?: Clipboard };
  try {
    await clipboard?.writeText(text);
    return clipboard !== undefined || copiedByEvent(text);
  } catch {
    return copiedByEvent(text);
  }
}

function copiedByEvent(text: string): boolean {
  const put = (event: ClipboardEvent) => {
    event.clipboardData?.setData('text/plain', text);
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  document.addEventListener('copy', put, true);
  const isCopied = document.execCommand('copy');
  document.removeEventListener('copy', put, true);
  return isCopied;
}

export function save(name: string, content: Blob): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), READ_BY);
}
