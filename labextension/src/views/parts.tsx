// What was understood, part by part: a click on one offers what else may stand there, a choice answers anew.

import * as React from 'react';

import type { PartChoices } from '../messages';
import { Fields } from './field';
import type { Acts, Outlook } from './outlook';

/** From so many choices on they can be narrowed by typing. */
const MANY = 12;

export function Parts({ outlook, acts }: { outlook: Outlook; acts: Acts }): JSX.Element | null {
  const { card, offered } = outlook;
  const buttons = React.useRef(new Map<string, HTMLButtonElement>());
  // cards of older notebooks have no parts
  const parts = card.parts ?? [];
  if (parts.length === 0 || outlook.hands.kind === 'tied') {
    return null;
  }
  const free = outlook.hands.kind === 'free';
  const close = () => {
    const opened = offered === null ? undefined : buttons.current.get(offered.part.key);
    acts.closeParts();
    opened?.focus();
  };
  return (
    <>
      <div className="jp-mcpgen-parts" role="group" aria-label="Change what was understood">
        {parts.map(part => (
          <button
            key={part.key}
            ref={node => void (node && buttons.current.set(part.key, node))}
            type="button"
            className="jp-mcpgen-part"
            aria-expanded={offered?.part.key === part.key}
            aria-disabled={!free}
            title={part.value === '' ? `Add: ${part.label.slice(2)}` : `Change ${part.label}`}
            onClick={() => free && (offered?.part.key === part.key ? close() : acts.offer(part.key))}
          >
            <span className="jp-mcpgen-partLabel">{part.label}</span> {part.value}
          </button>
        ))}
      </div>
      {offered !== null && (
        <Chooser
          key={offered.part.key}
          offered={offered}
          free={free}
          adjust={values => acts.adjust(offered.part.key, values)}
          close={close}
        />
      )}
    </>
  );
}

interface ChooserProps {
  readonly offered: PartChoices;
  readonly free: boolean;
  adjust(values: ReadonlyArray<string>): void;
  close(): void;
}

/** One part with all that may stand in it; Escape closes it, and the focus goes back to its button. */
function Chooser({ offered, free, adjust, close }: ChooserProps): JSX.Element {
  return (offered.comparisons ?? []).length > 0 ? (
    <NewCondition {...{ offered, free, adjust, close }} />
  ) : (
    <Choices {...{ offered, free, adjust, close }} />
  );
}

/** A column, a comparison and a value, which make one condition. */
function NewCondition({ offered, free, adjust, close }: ChooserProps): JSX.Element {
  const { part, choices, comparisons } = offered;
  const [column, setColumn] = React.useState(choices[0]?.value ?? '');
  const [comparison, setComparison] = React.useState(comparisons[0] ?? '');
  const [value, setValue] = React.useState('');
  const send = () => free && value.trim() !== '' && adjust([`${column} ${comparison} ${value.trim()}`]);
  return (
    <Fields className="jp-mcpgen-chooser" label={`Choices for ${part.label}`} send={send} close={close}>
      <div className="jp-mcpgen-row">
        Only rows where
        <select aria-label="Column" value={column} onChange={event => setColumn(event.target.value)}>
          {choices.map(choice => (
            <option key={choice.value} value={choice.value}>
              {choice.label}
            </option>
          ))}
        </select>
        <select aria-label="Comparison" value={comparison} onChange={event => setComparison(event.target.value)}>
          {comparisons.map(sign => (
            <option key={sign}>{sign}</option>
          ))}
        </select>
        <input type="text" aria-label="Value" value={value} onChange={event => setValue(event.target.value)} />
        <button
          type="button"
          className="jp-mcpgen-button jp-mod-strong"
          disabled={value.trim() === ''}
          aria-disabled={!free}
          onClick={send}
        >
          Apply
        </button>
        <button type="button" className="jp-mcpgen-button" onClick={close}>
          Close
        </button>
      </div>
    </Fields>
  );
}

function Choices({ offered, free, adjust, close }: ChooserProps): JSX.Element {
  const { part, choices, several, typed, may_go: mayGo, gone } = offered;
  const place = React.useRef<HTMLDivElement>(null);
  const [wanted, setWanted] = React.useState<ReadonlyArray<string>>(() =>
    choices.filter(choice => choice.chosen).map(choice => choice.value)
  );
  const [search, setSearch] = React.useState('');
  const [text, setText] = React.useState(typed && choices.length === 0 ? part.value : '');
  React.useEffect(() => {
    place.current?.querySelector<HTMLElement>('button, input')?.focus({ preventScroll: true });
  }, []);
  const send = (values: ReadonlyArray<string>) => free && adjust(values);
  const shown = choices.filter(choice => choice.label.toLowerCase().includes(search.trim().toLowerCase()));
  const toggled = (value: string) =>
    setWanted(wanted.includes(value) ? wanted.filter(one => one !== value) : [...wanted, value]);
  return (
    <div
      ref={place}
      className="jp-mcpgen-chooser"
      role="group"
      aria-label={`Choices for ${part.label}`}
      onKeyDown={event => {
        if (event.key === 'Escape') {
          event.stopPropagation();
          close();
        }
      }}
    >
      {choices.length > MANY && (
        <input
          type="search"
          aria-label="Narrow the choices"
          placeholder="Narrow the choices"
          value={search}
          onChange={event => setSearch(event.target.value)}
        />
      )}
      <div className="jp-mcpgen-choices">
        {shown.map(choice =>
          several ? (
            <label key={choice.value}>
              <input type="checkbox" checked={wanted.includes(choice.value)} onChange={() => toggled(choice.value)} />
              {choice.label}
            </label>
          ) : (
            <button
              key={choice.value}
              type="button"
              className="jp-mcpgen-chip"
              aria-pressed={choice.chosen}
              aria-disabled={!free || choice.chosen}
              onClick={() => !choice.chosen && send([choice.value])}
            >
              {choice.label}
            </button>
          )
        )}
        {mayGo && !several && (
          <button type="button" className="jp-mcpgen-chip" aria-disabled={!free} onClick={() => send([])}>
            {gone}
          </button>
        )}
      </div>
      <div className="jp-mcpgen-row">
        {typed && (
          <input
            type="text"
            aria-label={`Another value for ${part.label}`}
            placeholder={choices.length === 0 ? '' : 'Another value'}
            value={text}
            onChange={event => setText(event.target.value)}
            onKeyDown={event => {
              if (event.key === 'Enter' && text.trim() !== '') {
                send(several ? [...wanted, text.trim()] : [text.trim()]);
              }
            }}
          />
        )}
        {(several || typed) && (
          <button
            type="button"
            className="jp-mcpgen-button jp-mod-strong"
            disabled={several ? wanted.length === 0 && text.trim() === '' && !mayGo : text.trim() === ''}
            aria-disabled={!free}
            onClick={() => send([...(several ? wanted : []), ...(text.trim() === '' ? [] : [text.trim()])])}
          >
            Apply
          </button>
        )}
        <button type="button" className="jp-mcpgen-button" onClick={close}>
          Close
        </button>
      </div>
    </div>
  );
}
