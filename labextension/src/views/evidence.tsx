// Why the answer can be believed, in words, and what it does not say.

import * as React from 'react';

import type { Card, Evidence, Verdict } from '../messages';
import { VERDICTS } from '../words';
import { Icon } from './icon';
import { Phrase } from './phrase';

export function EvidencePart({ card }: { card: Card }): JSX.Element {
  const further = card.evidence.filter(one => !saidAlready(one, card));
  const errors = card.findings.filter(one => one.severity === 'error');
  return (
    <div className="jp-mcpgen-evidence">
      <p className="jp-mcpgen-sentence">
        <Icon sign={card.sound ? 'passed' : 'failed'} />
        <span>
          <Phrase text={card.evidence_sentence} />
        </span>
      </p>
      {further.length + errors.length > 0 && (
        <ul className="jp-mcpgen-checks" aria-label="Checks">
          {errors.map((one, index) => (
            <Check key={`error-${index}`} verdict="failed" sentence={one.message} />
          ))}
          {further.map((one, index) => (
            <Check key={index} verdict={one.verdict} sentence={one.sentence} />
          ))}
        </ul>
      )}
      <Notes label="Assumed" texts={card.assumptions} />
      <Notes label="Not covered" texts={card.limitations} />
    </div>
  );
}

/** The sentence above the list carries the checks on the person's own data. */
function saidAlready(one: Evidence, card: Card): boolean {
  return one.sentence !== '' && card.evidence_sentence.includes(one.sentence);
}

/** The word for the verdict is always there; where the sign says it too, it is for those who do not see the sign. */
function Check({ verdict, sentence }: { verdict: Verdict; sentence: string }): JSX.Element {
  return (
    <li data-verdict={verdict}>
      <Icon sign={verdict} />
      <span>
        <Phrase text={sentence} />{' '}
        <span className={verdict === 'passed' ? 'jp-mcpgen-spoken' : 'jp-mcpgen-quiet'}>({VERDICTS[verdict]})</span>
      </span>
    </li>
  );
}

function Notes({ label, texts }: { label: string; texts: ReadonlyArray<string> }): JSX.Element | null {
  return texts.length === 0 ? null : (
    <div className="jp-mcpgen-notes">
      <h4>{label}</h4>
      <ul>
        {texts.map((text, index) => (
          <li key={index}>
            <Phrase text={text} />
          </li>
        ))}
      </ul>
    </div>
  );
}
