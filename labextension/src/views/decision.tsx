// The two questions, and what came of them.

import * as React from 'react';

import type { Answer, Card, Confirmation } from '../messages';
import { rollback, whyArchived, whyTied, whyUnsound } from '../words';
import { Icon } from './icon';
import type { Acts, Outlook } from './outlook';
import { Phrase } from './phrase';

interface Props {
  readonly outlook: Outlook;
  readonly acts: Acts;
}

export function Decision({ outlook, acts }: Props): JSX.Element {
  const place = React.useRef<HTMLDivElement>(null);
  useKeptFocus(place, outlook);
  return (
    <div
      className="jp-mcpgen-decision"
      ref={place}
      tabIndex={-1}
      aria-busy={outlook.hands.kind === 'waiting' || outlook.stand === 'testing'}
    >
      <div role="status" aria-live="polite">
        <Outcome outlook={outlook} />
        {outlook.refusal !== null && <Refusal text={outlook.refusal} />}
      </div>
      <Ask outlook={outlook} acts={acts} />
      {outlook.hands.kind === 'tied' && <Tied card={outlook.card} why={outlook.hands.why} stand={outlook.stand} />}
    </div>
  );
}

function Refusal({ text }: { text: string }): JSX.Element {
  return (
    <p className="jp-mcpgen-refusal">
      <Phrase text={text} />
    </p>
  );
}

/** Said aloud and shown: what was decided so far. */
function Outcome({ outlook: { card, clients, stand, isLeft } }: { outlook: Outlook }): JSX.Element | null {
  switch (stand) {
    case 'output-asked':
      return null;
    case 'testing':
      return isLeft ? (
        <p className="jp-mcpgen-tied">
          It was stopped before its code was tested, so it cannot be saved. Ask again to save it as a tool.
        </p>
      ) : (
        <p className="jp-mcpgen-tied">
          Testing the code behind this answer… If this was interrupted, run <code>%mcpgen approve {card.card_id}</code>.
        </p>
      );
    case 'failed':
      return (
        <p className="jp-mcpgen-outcome">
          <Icon sign="failed" />{' '}
          <span>
            <Phrase text={whyUnsound(card)} /> It is in the archive with this report.
          </span>
        </p>
      );
    case 'reused':
      return (
        <p className="jp-mcpgen-outcome">
          <Icon sign="passed" />{' '}
          <span>
            Your tool gave this answer: <code>{card.signature}</code>
          </span>
        </p>
      );
    case 'saving-asked':
      return (
        <p className="jp-mcpgen-outcome">
          <Icon sign="passed" /> <span>You said that the output is correct.</span>
        </p>
      );
    case 'saving':
      return <p className="jp-mcpgen-outcome">Approved. Saving {card.tool_name}…</p>;
    case 'live':
      return (
        <p className="jp-mcpgen-outcome">
          <Icon sign="passed" />{' '}
          <span>
            <strong>
              {card.tool_name} v{card.version} is live
            </strong>
            : Python <code>tools.{card.tool_name}(…)</code>
            {clients !== null && (
              <>
                , MCP: <Phrase text={clients} />
              </>
            )}
          </span>
        </p>
      );
    case 'archived':
      return (
        <p className="jp-mcpgen-outcome">
          <span>
            <strong>
              {card.tool_name} v{card.version} is in the archive
            </strong>
            : {whyArchived(card)}. <code>{rollback(card)}</code> makes it active again.
          </span>
        </p>
      );
    case 'rejected':
      return (
        <p className="jp-mcpgen-outcome">
          <Icon sign="failed" />{' '}
          <span>
            <strong>{card.feedback.output === 'OUTPUT_REJECTED' ? 'Output rejected' : 'Rejected'}</strong>
            {card.feedback.notes ? <>: “{card.feedback.notes}”</> : '.'}
          </span>
        </p>
      );
  }
}

/** The question that is open now; a tied card asks nothing. */
function Ask({ outlook, acts }: Props): JSX.Element | null {
  if (outlook.hands.kind === 'tied') {
    return null;
  }
  switch (outlook.stand) {
    case 'output-asked':
      return <OutputQuestion key="output" outlook={outlook} acts={acts} />;
    case 'saving-asked':
      return <SavingQuestion key="saving" outlook={outlook} acts={acts} />;
    case 'live':
      return (
        <div className="jp-mcpgen-row" key="live">
          <Button outlook={outlook} label="Undo" act={acts.undo} />
          <Waiting outlook={outlook} />
        </div>
      );
    case 'testing':
    case 'failed':
    case 'reused':
    case 'saving':
    case 'archived':
    case 'rejected':
      return null;
  }
}

/** A run without a result has no output to be correct: its card can only be put away. */
function OutputQuestion({ outlook, acts }: Props): JSX.Element {
  const isThere = outlook.card.table.columns.length > 0;
  const asked = isThere ? 'Is this output correct?' : 'There is no output.';
  return (
    <div role="group" aria-label={asked}>
      <div className="jp-mcpgen-row">
        <span className="jp-mcpgen-ask">{asked}</span>
        {isThere && <Button outlook={outlook} label="Yes" strong act={() => acts.answer('output', 'yes', null)} />}
        <Button
          outlook={outlook}
          label={isThere ? 'No, because…' : 'Put it away…'}
          expanded={outlook.draft?.step === 'output'}
          act={() => acts.draft(outlook.draft === null ? { step: 'output', notes: '' } : null)}
        />
        <Waiting outlook={outlook} />
      </div>
      <Reason
        outlook={outlook}
        acts={acts}
        step="output"
        label={isThere ? 'What is wrong with it?' : 'Why?'}
        answer="no"
      />
    </div>
  );
}

/** One confirmation after the other, each with its own button, where an approval needs more than a word. */
function Confirming({ outlook, acts, asked }: Props & { asked: Confirmation }): JSX.Element {
  const { card, confirmed } = outlook;
  const given = [...(confirmed ?? []), asked.confirms];
  const isLast = card.confirmations.every(one => given.includes(one.confirms));
  return (
    <div role="group" aria-label={asked.sentence}>
      <p className="jp-mcpgen-confirm">{asked.sentence}</p>
      <div className="jp-mcpgen-row">
        <Button
          outlook={outlook}
          label={asked.yes}
          strong
          act={() => (isLast ? acts.approve(given) : acts.confirm(given))}
        />
        <Button outlook={outlook} label="No" act={() => acts.confirm(null)} />
        <Waiting outlook={outlook} />
      </div>
    </div>
  );
}

function SavingQuestion({ outlook, acts }: Props): JSX.Element {
  const { card, confirmed } = outlook;
  const why = React.useId();
  const asked = confirmed && card.confirmations.find(one => !confirmed.includes(one.confirms));
  if (asked) {
    return <Confirming key={asked.confirms} outlook={outlook} acts={acts} asked={asked} />;
  }
  return (
    <div role="group" aria-label="Save it as a reusable tool?">
      <div className="jp-mcpgen-row">
        <span className="jp-mcpgen-ask">Save it as a reusable tool?</span>
        <Button
          outlook={outlook}
          label="Approve"
          strong
          off={!card.sound}
          describedBy={card.sound ? undefined : why}
          act={() => (card.confirmations.length > 0 ? acts.confirm([]) : acts.approve([]))}
        />
        <Button
          outlook={outlook}
          label="Reject"
          expanded={outlook.draft?.step === 'registration'}
          act={() => acts.draft(outlook.draft === null ? { step: 'registration', notes: '' } : null)}
        />
        <Waiting outlook={outlook} />
      </div>
      {!card.sound && (
        <p className="jp-mcpgen-off" id={why}>
          <Phrase text={whyUnsound(card)} />
        </p>
      )}
      <Reason outlook={outlook} acts={acts} step="registration" label="Why not?" answer="reject" />
    </div>
  );
}

/** What may be wrong with an answer, and how a reason begins that says what was meant instead. */
const REASONS: ReadonlyArray<{ readonly name: string; readonly begins: string }> = [
  { name: 'Wrong column', begins: 'wrong column: should be ' },
  { name: 'Wrong filter', begins: 'wrong filter: only ' },
  { name: 'Wrong calculation', begins: 'wrong calculation: should be ' },
  { name: 'Wrong chart', begins: 'wrong chart: should be a ' },
  { name: 'Something else', begins: '' }
];
const BEGINNINGS = REASONS.map(reason => reason.begins).filter(begins => begins !== '');

interface ReasonProps extends Props {
  readonly step: Answer['step'];
  readonly label: string;
  readonly answer: string;
}

function Reason({ outlook, acts, step, label, answer }: ReasonProps): JSX.Element | null {
  const field = React.useRef<HTMLTextAreaElement>(null);
  const open = outlook.draft?.step === step;
  React.useEffect(() => {
    if (open && field.current?.closest('.jp-mcpgen-decision')?.contains(document.activeElement)) {
      field.current.focus();
    }
  }, [open]);
  if (!open) {
    return null;
  }
  const notes = outlook.draft?.notes ?? '';
  const send = () => acts.answer(step, answer, notes);
  const begin = (reason: string) => {
    const rest = BEGINNINGS.reduce((text, one) => (text.startsWith(one) ? text.slice(one.length) : text), notes);
    acts.draft({ step, notes: reason + rest });
    field.current?.focus();
  };
  return (
    <div className="jp-mcpgen-reason">
      <div className="jp-mcpgen-chips" role="group" aria-label="What is wrong">
        {REASONS.map(({ name, begins }) => (
          <button
            key={name}
            type="button"
            className="jp-mcpgen-chip"
            aria-pressed={begins !== '' && notes.startsWith(begins)}
            onClick={() => begin(begins)}
          >
            {name}
          </button>
        ))}
      </div>
      <textarea
        ref={field}
        rows={2}
        aria-label={label}
        placeholder={label}
        value={notes}
        onChange={event => acts.draft({ step, notes: event.target.value })}
        onKeyDown={event => {
          if (event.key === 'Escape') {
            acts.draft(null);
          } else if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && notes.trim() !== '') {
            send();
          }
        }}
      />
      <Button outlook={outlook} label="Send" off={notes.trim() === ''} act={send} />
    </div>
  );
}

interface ButtonProps {
  readonly outlook: Outlook;
  readonly label: string;
  readonly act: () => void;
  readonly strong?: boolean;
  readonly off?: boolean;
  readonly expanded?: boolean;
  readonly describedBy?: string | undefined;
}

/** While the kernel is asked, a button keeps its focus and does nothing; `off` is for what is not offered at all. */
function Button({ outlook, label, act, strong, off, expanded, describedBy }: ButtonProps): JSX.Element {
  const waiting = outlook.hands.kind !== 'free';
  return (
    <button
      type="button"
      className={`jp-mcpgen-button${strong ? ' jp-mod-strong' : ''}`}
      disabled={off ?? false}
      aria-disabled={waiting || (off ?? false)}
      aria-expanded={expanded}
      aria-describedby={describedBy}
      onClick={() => {
        if (!waiting) {
          act();
        }
      }}
    >
      {label}
    </button>
  );
}

/** Appears only when an answer takes long, which the style sheet decides. */
function Waiting({ outlook }: { outlook: Outlook }): JSX.Element | null {
  return outlook.hands.kind !== 'waiting' ? null : (
    <span className="jp-mcpgen-waiting">Waiting for the kernel. A running cell may have to end first.</span>
  );
}

function Tied({ card, why, stand }: { card: Card; why: Parameters<typeof whyTied>[0]; stand: Outlook['stand'] }) {
  const { text, code } = whyTied(why);
  const open = stand === 'output-asked' || stand === 'saving-asked';
  if (!open && stand !== 'live') {
    return null;
  }
  return (
    <p className="jp-mcpgen-tied">
      {open && <strong>Not decided here. </strong>}
      {text}
      {code !== undefined && (
        <>
          {' '}
          <code>{code}</code>
        </>
      )}
      {open && why !== 'unknown-card' && (
        <>
          , or decide with <code>jupyter mcpgen approve {card.card_id}</code>
        </>
      )}
      {why !== 'unknown-card' && '.'}
    </p>
  );
}

/**
 * After a person's answer the button they pressed is gone. The focus then goes to the decision as a whole, never to the
 * next button: a second Enter must not approve.
 */
function useKeptFocus(place: React.RefObject<HTMLDivElement>, outlook: Outlook): void {
  const inside = React.useRef(false);
  React.useEffect(() => {
    const node = place.current;
    const entered = () => (inside.current = true);
    const left = (event: FocusEvent) => (inside.current = event.relatedTarget === null && inside.current);
    const moved = (event: Event) => (inside.current = node?.contains(event.target as Node) ?? false);
    node?.addEventListener('focusin', entered);
    node?.addEventListener('focusout', left);
    document.addEventListener('pointerdown', moved);
    return () => {
      node?.removeEventListener('focusin', entered);
      node?.removeEventListener('focusout', left);
      document.removeEventListener('pointerdown', moved);
    };
  }, [place]);
  const writing = outlook.draft !== null;
  const confirming = outlook.confirmed?.length ?? null;
  React.useEffect(() => {
    if (inside.current && document.activeElement === document.body) {
      place.current?.focus({ preventScroll: true });
    }
  }, [place, outlook.stand, writing, confirming]);
}
