// A question asked back: its readings as buttons, until one is picked and its answer takes the place.

import * as React from 'react';

import { COMMANDS } from '../commands';
import type { QuestionBack } from '../messages';
import { hands } from '../store';
import { shortened, whyTied } from '../words';
import { Surroundings, useStoreState } from './card';
import { Phrase } from './phrase';
import { ResultTable } from './table';

export function QuestionView({ saved, commands, session }: Surroundings & { saved: QuestionBack }): JSX.Element {
  const state = useStoreState(session);
  const entry = state.entries.get(saved.question_id);
  const standing = hands(state.link, entry, 'waiting');
  const question = entry?.waiting?.question ?? saved;
  const free = standing.kind === 'free';
  const pick = (chip: string) =>
    void commands.execute(COMMANDS.pick, { session: session?.id ?? '', card_id: saved.question_id, chip });
  return (
    <section
      className="jp-mcpgen-Card"
      role="region"
      aria-label={`${question.is_refusal ? 'Not understood' : 'Asked back'}: ${question.question}`}
    >
      <header className="jp-mcpgen-reading">
        <div className="jp-mcpgen-question">
          <span>{question.question}</span>
          <span className="jp-mcpgen-badge">{question.is_refusal ? 'not understood' : 'needs your choice'}</span>
        </div>
        <p>
          <Phrase text={asked(question)} />
        </p>
        <div
          className="jp-mcpgen-options"
          role="group"
          aria-label="Readings of the question"
          data-beside={question.options.some(option => Boolean(option.table) || Boolean(option.without))}
        >
          {question.options.map((option, index) => (
            <div key={option.label} className="jp-mcpgen-option">
              <button
                type="button"
                className="jp-mcpgen-chip"
                aria-disabled={!free}
                title={option.reading}
                onClick={() => free && pick(option.label)}
              >
                {index + 1}. {shortened(option.reading)}
              </button>
              {option.table && <ResultTable table={option.table} label={`Result of reading ${index + 1}`} />}
              {option.without && <p className="jp-mcpgen-quiet">{option.without}</p>}
            </div>
          ))}
        </div>
        {question.way_on && (
          <p className="jp-mcpgen-quiet">
            <Phrase text={question.way_on} />
          </p>
        )}
      </header>
      <div className="jp-mcpgen-decision" role="status" aria-live="polite" aria-busy={standing.kind === 'waiting'}>
        {entry?.refusal && (
          <p className="jp-mcpgen-refusal">
            <Phrase text={entry.refusal} />
          </p>
        )}
        {standing.kind === 'tied' && <Tied why={standing.why} />}
      </div>
    </section>
  );
}

/** With several buttons the readings need not be said before them; a refusal says why, and the buttons what else. */
function asked({ text, options, is_refusal: isRefusal }: QuestionBack): string {
  if (isRefusal) {
    // the buttons below are the readings
    return text.replace(/ \(1\) .*$/s, '');
  }
  return options.length === 1 ? text : `This can be read in ${options.length} ways. Which one do you mean?`;
}

function Tied({ why }: { why: Parameters<typeof whyTied>[0] }): JSX.Element {
  const { text, code } = why === 'unknown-card' ? { text: 'Ask the question again to pick a reading.' } : whyTied(why);
  return (
    <p className="jp-mcpgen-tied">
      {text} {code !== undefined && <code>{code}</code>}
    </p>
  );
}
