// How states, checks and readings are said.

import type { Card, Evidence, StageTime, Step, Verdict } from './messages';
import type { Hands } from './store';

const WHOLE = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });

export function rowsShown(shown: number, total: number): string {
  if (total === 0) {
    return 'No rows';
  }
  return shown < total
    ? `Showing ${WHOLE.format(shown)} of ${WHOLE.format(total)} rows`
    : `${WHOLE.format(total)} ${total === 1 ? 'row' : 'rows'}`;
}

export const VERDICTS: Record<Verdict, string> = {
  passed: 'passed',
  failed: 'failed',
  not_run: 'not run',
  not_applicable: 'not applicable'
};

export const FIRST_RESULT = 'First result, by SQL. It is being checked…';

/** What is said aloud while a step runs. */
export const STEPS: Record<Step, string> = {
  read: 'Reading the question.',
  write: 'Writing the code.',
  check: 'Checking the code.',
  run: 'Running it on your data.'
};

export function gateName(gate: string): string {
  return gate.replaceAll('_', ' ');
}

export function isGood(one: Evidence): boolean {
  return one.verdict === 'passed' || one.verdict === 'not_applicable';
}

/** What the line of evidence is marked with: a tick says that the calculation was checked, and not less. */
export function verdictOf(card: Card): Evidence['verdict'] {
  if (!card.evidence.every(isGood)) {
    return 'failed';
  }
  const isUnchecked = card.evidence.some(one => one.check === 'two_ways' && one.verdict === 'not_applicable');
  return isUnchecked ? 'not_applicable' : 'passed';
}

/** What is said below the line of evidence, such as rows that were left out. */
export function notesOf(card: Card): Evidence[] {
  return card.evidence.filter(one => one.place === 'note' && isGood(one));
}

/** The checks that the line sums up; where one failed, the line says nothing of those that passed. */
export function reasonsOf(card: Card): Evidence[] {
  const inLine = card.evidence.every(isGood);
  return card.evidence.filter(one => isGood(one) && one.place !== 'note' && (one.place !== 'line' || !inLine));
}

/** A chip beside a reading need not repeat a condition that both end with. */
export function withoutSharedEnd(label: string, reading: string): string {
  const clauses = label.split(', ');
  const others = reading.split(', ');
  let shared = 0;
  while (shared < clauses.length - 1 && clauses.at(-1 - shared) === others.at(-1 - shared)) {
    shared++;
  }
  return clauses.slice(0, clauses.length - shared).join(', ');
}

const MOST_CLAUSES = 14;
const LONGEST_WHOLE = 280;
const CLAUSES_AT_AN_END = 4;

/** A long list without its middle; the end is never cut, because a condition there changes the answer. */
export function shortened(reading: string): string {
  const clauses = reading.split(', ');
  if (clauses.length <= MOST_CLAUSES || reading.length <= LONGEST_WHOLE) {
    return reading;
  }
  const left = clauses.length - 2 * CLAUSES_AT_AN_END;
  const middle = `… ${WHOLE.format(left)} more …`;
  return [...clauses.slice(0, CLAUSES_AT_AN_END), middle, ...clauses.slice(-CLAUSES_AT_AN_END)].join(', ');
}

/** Why approval is off, in the words of what failed. */
export function whyUnsound(card: Card): string {
  const failed = card.evidence.filter(one => one.verdict === 'failed').map(one => one.sentence);
  const errors = card.findings.filter(one => one.severity === 'error').map(one => one.message);
  const left = card.evidence.filter(one => one.verdict === 'not_run').map(one => `${trim(one.sentence)} (not run)`);
  const reason = [...failed, ...errors, ...left][0];
  return `Approval is off: ${reason === undefined ? 'the checks did not pass' : trim(reason)}.`;
}

/** Why a saved version cannot be called now. */
export function whyArchived(card: Card): string {
  return card.archived?.active ? `v${card.archived.active} is active` : 'the tool is unpublished';
}

export function rollback(card: Card): string {
  return `%mcpgen rollback ${card.tool_name} ${card.version}`;
}

function trim(sentence: string): string {
  return sentence.replace(/\.\s*$/, '');
}

export function whyTied(why: Extract<Hands, { kind: 'tied' }>['why']): { text: string; code?: string } {
  switch (why) {
    case 'no-kernel':
      return { text: 'Start the kernel and run', code: '%load_ext jupyter_mcpgen' };
    case 'not-loaded':
      return { text: 'Run', code: '%load_ext jupyter_mcpgen' };
    case 'shared-kernel':
      return { text: 'Another open notebook has this kernel, and only the first one can reach it. Decide there' };
    case 'unknown-card':
      return { text: 'The registry of this kernel does not hold this answer. Ask the question again for a fresh one.' };
  }
}

export function times(stages: ReadonlyArray<StageTime>): string {
  return stages.map(one => `${one.stage} ${duration(one.milliseconds)}`).join(' · ');
}

export function duration(milliseconds: number): string {
  return milliseconds < 1000
    ? `${milliseconds < 10 ? milliseconds.toFixed(1) : Math.round(milliseconds)} ms`
    : `${(milliseconds / 1000).toFixed(1)} s`;
}
