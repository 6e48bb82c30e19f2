// What the side panel shows after what it hears and what a person does.

import { expect, test } from 'vitest';

import type { PanelInbox, PanelOutcome, PanelWaiting } from '../../labextension/src/messages';
import { Happening, Panel, reduce, seenOf, START } from '../../labextension/src/panel/state';
import { card } from './cards';

const after = (...happenings: Happening[]): Panel => happenings.reduce(reduce, START);
const waiting = (id: string, fingerprint = 'f'): PanelWaiting =>
  ({ card_id: id, fingerprint, confirmations: [], alone: '', off: '' }) as unknown as PanelWaiting;
const inbox = (...cards: PanelWaiting[]): Happening => ({
  kind: 'heard',
  message: { kind: 'panel_inbox', cards } satisfies PanelInbox
});
const pick = (...cardIds: string[]): Happening => ({ kind: 'picked', cardIds, isPicked: true });
const outcome = (id: string, done: boolean): PanelOutcome => ({
  card_id: id,
  tool_name: id,
  done,
  sentence: '',
  can_undo: false
});

test('a decision about several is bound to the content that each of them shows', () => {
  const state = after(inbox(waiting('a', '1'), waiting('b', '2'), waiting('c', '3')), pick('a', 'c'));
  expect(seenOf(state).map(one => [one.card_id, one.fingerprint])).toEqual([
    ['a', '1'],
    ['c', '3']
  ]);
});

test('what waits no more is picked no more', () => {
  const state = after(inbox(waiting('a'), waiting('b')), pick('a', 'b'), inbox(waiting('b')));
  expect([...state.picked]).toEqual(['b']);
});

test('what was decided leaves the list at once, and what was refused stays', () => {
  const decided: Happening = {
    kind: 'heard',
    message: { kind: 'panel_decided', outcomes: [outcome('a', true), outcome('b', false)] }
  };
  const state = after(inbox(waiting('a'), waiting('b')), pick('a', 'b'), decided);
  expect(state.inbox?.cards.map(one => one.card_id)).toEqual(['b']);
  expect(state.notice?.failed).toBe(true);
});

test('an answer that is looked at and is another one by now cannot be decided', () => {
  const shown = card({ card_id: 'a', fingerprint: '1' });
  const opened = after(
    inbox(waiting('a', '1')),
    { kind: 'card-opened', cardId: 'a' },
    { kind: 'heard', message: { kind: 'panel_card', card: shown } }
  );
  expect(reduce(opened, inbox(waiting('a', '1'))).card?.stale).toBe(false);
  expect(reduce(opened, inbox(waiting('a', '2'))).card?.stale).toBe(true);
  expect(reduce(opened, inbox()).card?.stale).toBe(true);
});

test('what was confirmed of other content does not count', () => {
  const shown = (fingerprint: string): Happening => ({
    kind: 'heard',
    message: { kind: 'panel_card', card: card({ card_id: 'a', fingerprint }) }
  });
  const ticked = after({ kind: 'card-opened', cardId: 'a' }, shown('1'), {
    kind: 'card-confirmed',
    confirmed: ['unchecked']
  });
  expect(reduce(ticked, shown('1')).card?.confirmed).toEqual(['unchecked']);
  expect(reduce(ticked, shown('2')).card?.confirmed).toEqual([]);
});

test('what was found for other words than those that stand there now is not shown', () => {
  const found = (query: string): Happening => ({
    kind: 'heard',
    message: { kind: 'panel_library', query, tools: [], more: 0, problems: [] }
  });
  expect(after({ kind: 'queried', query: 'honey' }, found('hon')).library).toBeNull();
  expect(after({ kind: 'queried', query: 'honey' }, found('honey')).library?.query).toBe('honey');
});
