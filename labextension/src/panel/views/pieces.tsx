// Small pieces that several sections have: a page with a way back, a text to copy, a reason to write.

import * as React from 'react';

import { copied } from '../../deliver';
import { INBOX, LIBRARY } from '../words';

const COPIED_MILLISECONDS = 2000;

interface PageProps {
  readonly title: string;
  /** Whether the title is a sentence, and no name. */
  readonly isSentence?: boolean;
  readonly back: string;
  readonly close: () => void;
  readonly children: React.ReactNode;
}

/** What is opened from a list; the focus goes to its title, and Escape leads back. */
export function Page({ title, isSentence = false, back, close, children }: PageProps): JSX.Element {
  const heading = React.useRef<HTMLHeadingElement>(null);
  React.useEffect(() => heading.current?.focus(), []);
  return (
    <section
      className="jp-mcpgen-page"
      aria-label={title}
      onKeyDown={event => {
        if (event.key === 'Escape') {
          event.stopPropagation();
          close();
        }
      }}
    >
      <button type="button" className="jp-mcpgen-back" onClick={close}>
        ‹ {back}
      </button>
      <h3 tabIndex={-1} ref={heading} className={isSentence ? 'jp-mcpgen-capital' : ''}>
        {title}
      </h3>
      {children}
    </section>
  );
}

/** The name of a list's entry that was opened last gets the focus again when its page is closed. */
export function useWayBack(isOpen: boolean): (entry: string) => void {
  const last = React.useRef<string | null>(null);
  React.useEffect(() => {
    if (!isOpen && last.current !== null) {
      const entry = document.querySelector<HTMLElement>(`[data-entry="${CSS.escape(last.current)}"]`);
      (entry ?? document.querySelector<HTMLElement>('#jp-mcpgen-panel-body'))?.focus();
      last.current = null;
    }
  }, [isOpen]);
  return entry => (last.current = entry);
}

/** What is pressed may be gone, or off for a while, after what it did: the focus must not fall out of the panel. */
export function useKeptFocus(place: React.RefObject<HTMLElement>): void {
  const last = React.useRef<HTMLElement | null>(null);
  React.useEffect(() => {
    const node = place.current;
    const came = ({ target }: FocusEvent) => (last.current = target as HTMLElement);
    const left = ({ relatedTarget }: FocusEvent) => (last.current = relatedTarget === null ? last.current : null);
    const pressed = ({ target }: Event) => (last.current = node?.contains(target as Node) ? last.current : null);
    node?.addEventListener('focusin', came);
    node?.addEventListener('focusout', left);
    document.addEventListener('pointerdown', pressed);
    return () => {
      node?.removeEventListener('focusin', came);
      node?.removeEventListener('focusout', left);
      document.removeEventListener('pointerdown', pressed);
    };
  }, [place]);
  React.useEffect(() => {
    const { activeElement } = document;
    if (last.current !== null && (activeElement === null || activeElement === document.body)) {
      const isThere = last.current.isConnected && (last.current as Partial<HTMLButtonElement>).disabled !== true;
      const node = place.current;
      const page = node?.querySelector<HTMLElement>('.jp-mcpgen-page h3');
      (isThere ? last.current : (page ?? node?.querySelector<HTMLElement>('[role=tabpanel]')))?.focus();
    }
  });
}

export function Copied({ text, label }: { text: string; label: string }): JSX.Element {
  const [isCopied, setCopied] = React.useState(false);
  React.useEffect(() => {
    const timer = isCopied ? setTimeout(() => setCopied(false), COPIED_MILLISECONDS) : undefined;
    return () => clearTimeout(timer);
  }, [isCopied]);
  return (
    <div className="jp-mcpgen-copied">
      <div className="jp-mcpgen-copiedHead">
        <span>{label}</span>
        <button
          type="button"
          className="jp-mcpgen-button"
          aria-label={`${LIBRARY.copy}: ${label}`}
          onClick={() => void copied(text).then(setCopied)}
        >
          {isCopied ? LIBRARY.copied : LIBRARY.copy}
        </button>
      </div>
      <pre tabIndex={0} aria-label={label}>
        <code>{text}</code>
      </pre>
      <span role="status" className="jp-mcpgen-spoken">
        {isCopied ? LIBRARY.copied : ''}
      </span>
    </div>
  );
}

interface ReasonProps {
  readonly label: string;
  readonly reason: string;
  readonly off: boolean;
  readonly write: (reason: string | null) => void;
  readonly reject: () => void;
}

/** A rejection needs a reason, because it is learned from. */
export function Reason({ label, reason, off, write, reject }: ReasonProps): JSX.Element {
  return (
    <div className="jp-mcpgen-panelReason">
      <label>
        {label}
        <textarea rows={2} maxLength={2000} value={reason} autoFocus onChange={event => write(event.target.value)} />
      </label>
      <div className="jp-mcpgen-row">
        <button
          type="button"
          className="jp-mcpgen-button jp-mod-strong"
          disabled={off || reason.trim() === ''}
          onClick={reject}
        >
          {INBOX.rejectNow}
        </button>
        <button type="button" className="jp-mcpgen-button" onClick={() => write(null)}>
          {INBOX.cancel}
        </button>
      </div>
    </div>
  );
}
