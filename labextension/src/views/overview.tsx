// A first look at a table: its columns, and suggested questions as buttons, each with its answer below it.

import * as React from 'react';

import { COMMANDS } from '../commands';
import type { Overview, Suggestion } from '../messages';
import { hands, isGoing, State } from '../store';
import { answerOf, courseOf } from '../suggestions';
import { whyTied } from '../words';
import { CardView, Surroundings, useStoreState } from './card';
import { Phrase } from './phrase';
import { QuestionView } from './question';
import { Strip } from './strip';
import { ResultTable } from './table';

const TEXTS = {
  badge: 'overview',
  questions: 'Questions to ask',
  over: 'To ask one of these questions, run the cell again.'
};

export function OverviewView({ saved, ...surroundings }: Surroundings & { saved: Overview }): JSX.Element {
  const state = useStoreState(surroundings.session);
  const title = `jp-mcpgen-overview-${saved.suggestions[0]?.question_id ?? saved.name}`;
  return (
    <section className="jp-mcpgen-Card jp-mcpgen-Overview" role="region" aria-label={`Overview: ${saved.name}`}>
      <header className="jp-mcpgen-reading">
        <div className="jp-mcpgen-question">
          <span>{saved.text}</span>
          <span className="jp-mcpgen-badge">{TEXTS.badge}</span>
        </div>
        <h3>{saved.name}</h3>
      </header>
      <div className="jp-mcpgen-columns">
        <ResultTable table={saved.columns} label={`Columns of ${saved.name}`} />
      </div>
      {saved.suggestions.length > 0 && (
        <div className="jp-mcpgen-suggestions">
          <h4 id={title}>{TEXTS.questions}</h4>
          <ul aria-labelledby={title}>
            {saved.suggestions.map(one => (
              <SuggestionView key={one.question_id} suggestion={one} state={state} {...surroundings} />
            ))}
          </ul>
          <Tied suggestions={saved.suggestions} state={state} />
        </div>
      )}
    </section>
  );
}

function SuggestionView({
  suggestion,
  state,
  ...surroundings
}: Surroundings & { suggestion: Suggestion; state: State }): JSX.Element {
  const { question_id: questionId, question, reading } = suggestion;
  const { commands, session } = surroundings;
  const entry = state.entries.get(questionId);
  const answer = answerOf(suggestion, state);
  const going = courseOf(suggestion, state);
  const runs = going !== undefined && isGoing(going);
  const free = hands(state.link, entry, 'waiting').kind === 'free' && answer === null && !runs;
  const of = { session: session?.id ?? '' };
  const ask = () => void commands.execute(COMMANDS.askAgain, { ...of, card_id: questionId, question });
  const stop = (askingId: string) => void commands.execute(COMMANDS.stop, { ...of, asking_id: askingId });
  return (
    <li>
      <button
        type="button"
        className="jp-mcpgen-chip"
        aria-disabled={!free}
        aria-expanded={answer !== null}
        title={reading}
        onClick={() => free && ask()}
      >
        {question}
      </button>
      {runs && <Strip going={going} stop={stop} interrupt={() => session?.interrupt()} />}
      {entry?.refusal && (
        <p className="jp-mcpgen-refusal" role="status">
          <Phrase text={entry.refusal} />
        </p>
      )}
      {answer !== null && <CardView saved={answer} {...surroundings} />}
      {entry?.asked && <QuestionView saved={entry.asked} {...surroundings} />}
    </li>
  );
}

/** Where none of the questions can be asked from here, why; it is the same for all of them. */
function Tied({ suggestions, state }: { suggestions: ReadonlyArray<Suggestion>; state: State }): JSX.Element | null {
  const open = suggestions.filter(one => answerOf(one, state) === null);
  const ties = open.map(one => hands(state.link, state.entries.get(one.question_id), 'waiting'));
  const tied = ties.find(one => one.kind === 'tied');
  if (tied?.kind !== 'tied') {
    return null;
  }
  const { text, code } = tied.why === 'unknown-card' ? { text: TEXTS.over } : whyTied(tied.why);
  return (
    <p className="jp-mcpgen-tied">
      {text} {code !== undefined && <code>{code}</code>}
    </p>
  );
}
