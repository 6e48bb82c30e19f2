// The words of a question, to be changed and asked again in the same place.

import * as React from 'react';

import type { Unread } from '../messages';

interface Props {
  readonly question: string;
  readonly free: boolean;
  readonly label: string;
  /** Words that were not read, each with the columns that may be meant. */
  readonly unread?: ReadonlyArray<Unread>;
  ask(question: string): void;
  /** Absent where the field is always open. */
  readonly close?: () => void;
}

export function Rewording({ question, free, label, unread = [], ask, close }: Props): JSX.Element {
  const [words, setWords] = React.useState(question);
  const field = React.useRef<HTMLTextAreaElement>(null);
  React.useEffect(() => setWords(question), [question]);
  const opened = close !== undefined;
  React.useEffect(() => {
    if (opened) {
      field.current?.focus();
    }
  }, [opened]);
  const send = () => free && words.trim() !== '' && ask(words.trim());
  return (
    <>
      {unread.map(({ words: not, columns }) => (
        <div key={not} className="jp-mcpgen-chips" role="group" aria-label={`Columns for “${not}”`}>
          <span className="jp-mcpgen-quiet">
            instead of <mark>{not}</mark>:
          </span>
          {columns.map(column => (
            <button
              key={column}
              type="button"
              className="jp-mcpgen-chip"
              onClick={() => {
                setWords(replaced(words, not, column));
                field.current?.focus();
              }}
            >
              {column}
            </button>
          ))}
        </div>
      ))}
      <div className="jp-mcpgen-reason jp-mcpgen-rewording">
        <textarea
          ref={field}
          rows={2}
          aria-label={label}
          value={words}
          onChange={event => setWords(event.target.value)}
          onKeyDown={event => {
            if (event.key === 'Escape' && close !== undefined) {
              close();
            } else if (event.key === 'Enter' && !event.shiftKey) {
              event.preventDefault();
              send();
            }
          }}
        />
        <button
          type="button"
          className="jp-mcpgen-button"
          disabled={words.trim() === ''}
          aria-disabled={!free}
          onClick={send}
        >
          Ask
        </button>
      </div>
    </>
  );
}

function replaced(text: string, words: string, by: string): string {
  const start = text.toLowerCase().indexOf(words.toLowerCase());
  return start < 0 ? text : text.slice(0, start) + by + text.slice(start + words.length);
}
