// Why the answer can be believed, in words, and what it does not say.

import * as React from 'react';

import type { Card } from '../messages';
import { VERDICTS } from '../words';
import { Icon } from './icon';

export function EvidencePart({ card }: { card: Card }): JSX.Element {
  return (
    <div className="jp-mcpgen-evidence">
      <p className="jp-mcpgen-sentence">
        <Icon sign={card.sound ? 'passed' : 'failed'} />
        <span>{card.evidence_sentence}</span>
      </p>
      <ul className="jp-mcpgen-checks" aria-label="Checks">
        {card.evidence.map((one, index) => (
          <li key={index} data-verdict={one.verdict}>
            <Icon sign={one.verdict} />
            <span>
              {one.sentence} <span className="jp-mcpgen-quiet">({VERDICTS[one.verdict]})</span>
            </span>
          </li>
        ))}
        {card.findings
          .filter(one => one.severity !== 'info')
          .map((one, index) => (
            <li key={`finding-${index}`} data-verdict={one.severity === 'error' ? 'failed' : 'not_run'}>
              <Icon sign={one.severity === 'error' ? 'failed' : 'not_run'} />
              <span>
                {one.message} <span className="jp-mcpgen-quiet">({one.severity})</span>
              </span>
            </li>
          ))}
      </ul>
      <div className="jp-mcpgen-notes">
        <Notes label="Assumed" texts={card.assumptions} />
        <Notes label="Not covered" texts={card.limitations} />
      </div>
    </div>
  );
}

function Notes({ label, texts }: { label: string; texts: ReadonlyArray<string> }): JSX.Element | null {
  return texts.length === 0 ? null : (
    <div>
      <h4>{label}</h4>
      <ul>
        {texts.map((text, index) => (
          <li key={index}>{text}</li>
        ))}
      </ul>
    </div>
  );
}
