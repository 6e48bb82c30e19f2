// What became of suggested questions, as the kernel told it on this page or as the notebook keeps it.

import type { Card, Overview, Suggestion } from './messages';
import { Going, latestCard, State } from './store';

/** The answer of a suggestion: that which the kernel gave on this page, or else that which the notebook keeps. */
export function answerOf({ question_id: questionId, card }: Suggestion, state: State): Card | null {
  return state.entries.get(questionId)?.painted?.card ?? card;
}

/** The course of a suggested question, the latest of several. */
export function courseOf({ question_id: questionId }: Suggestion, state: State): Going | undefined {
  return [...state.questions.values()].filter(one => one.asking.card_id === questionId).at(-1);
}

/** A look with the present state of each answer that the kernel told of. */
export function withAnswers(overview: Overview, state: State): Overview {
  const suggestions = overview.suggestions.map(one => {
    const answer = answerOf(one, state);
    return { ...one, card: answer === null ? null : latestCard(state, answer) };
  });
  return { ...overview, suggestions };
}
