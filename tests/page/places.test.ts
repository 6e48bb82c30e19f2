// Names in cells, what a cell begins with, what the settings and the status bar say, and suggested answers.

import { expect, test } from 'vitest';

import type { Overview, Suggestion } from '../../labextension/src/messages';
import { nameAt, withMagic } from '../../labextension/src/notebooks';
import { preferencesIn, USUAL } from '../../labextension/src/preferences';
import { reduce, START } from '../../labextension/src/store';
import { answerOf, courseOf, withAnswers } from '../../labextension/src/suggestions';
import { told } from '../../labextension/src/told';
import { asking, card, painted } from './cards';

test.each([
  ['landings.head()', 0, 'landings'],
  ['landings.head()', 8, 'landings'],
  ['x = landings', 5, 'landings'],
  ['1 + 1', 2, null],
  ['', 0, null]
])('the name in %j at %d is %j', (text, offset, name) => {
  expect(nameAt(text, offset)).toBe(name);
});

test('a cell loads the magic only where no other cell does', () => {
  expect(withMagic('%mcpgen ', ['import pandas'])).toBe('%load_ext jupyter_mcpgen\n%mcpgen ');
  expect(withMagic('%mcpgen ', ['%load_ext jupyter_mcpgen'])).toBe('%mcpgen ');
});

test.each([
  [undefined, USUAL],
  ['text', USUAL],
  [{ rows: 0, motion: 'no' }, USUAL],
  [{ rows: 30.4 }, { ...USUAL, rows: 30 }],
  [
    { motion: false, moveFocus: false, notices: false, statusBar: false },
    { ...USUAL, motion: false, moveFocus: false, notices: false, statusBar: false }
  ]
])('settings %j are read as far as they can be', (page, preferences) => {
  expect(preferencesIn(page)).toEqual(preferences);
});

test.each([
  [null, 2, 'mcpgen: 2', '2 decisions wait in the open notebooks. Whether the MCP server is running is not known.'],
  [{ waiting: 0, server: 'stopped' as const }, 2, 'mcpgen: 0', 'No decisions wait. The MCP server is not running.'],
  [
    { waiting: 1, server: 'running' as const },
    0,
    'mcpgen: 1 · server on',
    '1 decision waits. The MCP server is running.'
  ],
  [{ waiting: -1, server: 'unknown' as const }, 1, 'mcpgen: 1', expect.stringContaining('in the open notebooks')]
])('the status bar says of %j and %d here: %s', (standing, here, text, title) => {
  expect(told(standing, here)).toEqual({ text, title });
});

test('a suggested question has the answer of this page before the one that the notebook keeps', () => {
  const kept = card({ card_id: 'old-01' });
  const one = { question_id: 'question-1', question: 'weight', typed: '', reading: '', card: kept } as Suggestion;
  const other = { ...one, question_id: 'question-2', card: null };
  const state = [painted(card({ card_id: 'new-02' }), 'question-1'), asking({ card_id: 'question-2' })].reduce(
    (before, message) => reduce(before, { kind: 'arrived', message }),
    START
  );

  expect(answerOf(one, START)).toBe(kept);
  expect(answerOf(one, state)?.card_id).toBe('new-02');
  expect(courseOf(one, state)).toBeUndefined();
  expect(courseOf(other, state)?.asking.asking_id).toBe('a1');
  const overview = withAnswers({ suggestions: [one, other] } as unknown as Overview, state);
  expect(overview.suggestions.map(each => each.card?.card_id ?? null)).toEqual(['new-02', null]);
});
