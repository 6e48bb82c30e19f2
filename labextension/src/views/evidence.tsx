// Why the answer can be believed: one line, what it leaves out, and the rest folded away.

import * as React from 'react';

import type { Card, Evidence } from '../messages';
import { notesOf, reasonsOf, VERDICTS, verdictOf } from '../words';
import { Icon } from './icon';
import { Phrase } from './phrase';

interface Props {
  readonly card: Card;
  /** Whether a person can still say that something else was meant. */
  readonly asks: boolean;
  /** What stands beside something that was assumed. */
  beside?(assumed: string): React.ReactNode;
}

export function EvidencePart({ card, asks, beside }: Props): JSX.Element {
  const errors = card.findings.filter(one => one.severity === 'error').map(one => one.message);
  const said = [...errors, ...notesOf(card).map(one => one.sentence)];
  return (
    <div className="jp-mcpgen-evidence">
      <p className="jp-mcpgen-sentence">
        <Icon sign={verdictOf(card)} />
        <span>
          <Phrase text={card.evidence_sentence} />
          {asks && card.read_by && <span className="jp-mcpgen-readBy"> {card.read_by}</span>}
        </span>
      </p>
      <Notes label="Note" texts={said} />
      <Notes label="Assumed" texts={card.assumptions} beside={beside} />
      <Notes label="Not covered" texts={card.limitations} />
      <Reasons reasons={reasonsOf(card)} />
    </div>
  );
}

function Reasons({ reasons }: { reasons: ReadonlyArray<Evidence> }): JSX.Element | null {
  return reasons.length === 0 ? null : (
    <details className="jp-mcpgen-details">
      <summary>Why trust this?</summary>
      <ul className="jp-mcpgen-checks" aria-label="Checks">
        {reasons.map((one, index) => (
          <li key={index}>
            <Icon sign={one.verdict} />
            <span>
              <Phrase text={one.sentence} /> <span className="jp-mcpgen-spoken">({VERDICTS[one.verdict]})</span>
            </span>
          </li>
        ))}
      </ul>
    </details>
  );
}

interface NotesProps {
  readonly label: string;
  readonly texts: ReadonlyArray<string>;
  readonly beside?: Props['beside'];
}

function Notes({ label, texts, beside }: NotesProps): JSX.Element | null {
  return texts.length === 0 ? null : (
    <div className="jp-mcpgen-notes">
      <h4>{label}</h4>
      <ul>
        {texts.map((text, index) => (
          <li key={index}>
            <Phrase text={text} />
            {beside?.(text)}
          </li>
        ))}
      </ul>
    </div>
  );
}
