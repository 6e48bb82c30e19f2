// A question asked back: its readings as buttons, until one is picked and its answer takes the place.

import * as React from 'react';

import { COMMANDS } from '../commands';
import type { QuestionBack } from '../messages';
import { hands } from '../store';
import { shortened, whyTied } from '../words';
import { Surroundings, useStoreState } from './card';
import { Rewording } from './rewording';
import { Phrase } from './phrase';
import { ResultTable } from './table';

export function QuestionView({ saved, ...surroundings }: Surroundings & { saved: QuestionBack }): JSX.Element {
  const { commands, session } = surroundings;
  const state = useStoreState(session);
  const entry = state.entries.get(saved.question_id);
  const standing = hands(state.link, entry, 'waiting');
  const question = entry?.waiting?.question ?? saved;
  const free = standing.kind === 'free';
  const unread = question.unread ?? [];
  const askAgain = (words: string) =>
    void commands.execute(COMMANDS.askAgain, {
      session: session?.id ?? '',
      card_id: saved.question_id,
      question: words
    });
  if (entry?.asked) {
    return <QuestionView saved={entry.asked} {...surroundings} />;
  }
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
          <span>
            <Marked text={question.question} words={unread.map(each => each.words)} />
          </span>
          <span className="jp-mcpgen-badge">{question.is_refusal ? 'not understood' : 'needs your choice'}</span>
        </div>
        <p>
          <Phrase text={asked(question)} />
        </p>
        {question.options.length > 0 && (
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
        )}
        {standing.kind !== 'tied' && (
          <Rewording
            question={question.question}
            free={free}
            label="The question in other words"
            unread={unread}
            ask={askAgain}
          />
        )}
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

/** What other words came to, where it is no answer: below the card whose question was changed. */
export function AskedInstead({
  asked,
  shownId,
  ...surroundings
}: Surroundings & { asked: QuestionBack; shownId: string }): JSX.Element {
  return (
    <div className="jp-mcpgen-asked">
      <QuestionView saved={asked} {...surroundings} />
      <button
        type="button"
        className="jp-mcpgen-button"
        onClick={() => surroundings.session?.store.dispatch({ kind: 'asked-closed', cardId: shownId })}
      >
        Back to the answer
      </button>
    </div>
  );
}

/** A question in which the words that were not read are marked. */
function Marked({ text, words }: { text: string; words: ReadonlyArray<string> }): JSX.Element {
  const places = words
    .map(each => ({ start: text.toLowerCase().indexOf(each.toLowerCase()), length: each.length }))
    .filter(place => place.start >= 0)
    .sort((one, other) => one.start - other.start);
  const pieces: React.ReactNode[] = [];
  let end = 0;
  for (const { start, length } of places) {
    if (start >= end) {
      pieces.push(text.slice(end, start), <mark key={start}>{text.slice(start, start + length)}</mark>);
      end = start + length;
    }
  }
  return (
    <>
      {pieces}
      {text.slice(end)}
    </>
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
