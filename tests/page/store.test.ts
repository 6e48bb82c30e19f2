// The state of one notebook: what is said and heard changes it, and nothing else does.

import { describe, expect, test } from 'vitest';

import type { Link } from '../../labextension/src/line';
import type { FromPage } from '../../labextension/src/messages';
import { hands, Happening, isGoing, reduce, stand, START, State } from '../../labextension/src/store';
import { asking, card, painted, question } from './cards';

function after(...happenings: Happening[]): State {
  return happenings.reduce(reduce, START);
}

const OPEN: Happening = { kind: 'linked', link: 'open' };
const sent = (message: FromPage & { readonly card_id: string }): Happening => ({
  kind: 'sent',
  cardId: message.card_id,
  message
});
const shown = (cardId: string): Happening => ({ kind: 'shown', cardId });
const arrived = (message: Extract<Happening, { kind: 'arrived' }>['message']): Happening => ({
  kind: 'arrived',
  message
});

describe('a card', () => {
  test('can be acted on once the kernel told of it, and not while something was sent', () => {
    const told = after(OPEN, shown('sum-01'), arrived(painted(card())));
    const looked = reduce(told, sent({ kind: 'explain', card_id: 'sum-01', row: 1 }));
    const asked = reduce(told, sent({ kind: 'undo', card_id: 'sum-01' }));

    expect(hands('open', after(OPEN, shown('sum-01')).entries.get('sum-01'), 'painted')).toEqual({ kind: 'waiting' });
    expect(hands('open', told.entries.get('sum-01'), 'painted')).toEqual({ kind: 'free' });
    expect(hands('open', looked.entries.get('sum-01'), 'painted')).toEqual({ kind: 'free' });
    expect(hands('open', asked.entries.get('sum-01'), 'painted')).toEqual({ kind: 'waiting' });
  });

  test('that only the notebook holds, and no kernel told of, is never free', () => {
    const unknown = after(OPEN, shown('sum-01'), arrived({ kind: 'unknown_card', card_id: 'sum-01' }));

    expect(hands('open', unknown.entries.get('sum-01'), 'painted')).toEqual({ kind: 'tied', why: 'unknown-card' });
  });

  test.each<[Link, string]>([
    ['none', 'no-kernel'],
    ['deaf', 'not-loaded'],
    ['shared', 'shared-kernel']
  ])('is tied where the link is %s', (link, why) => {
    expect(hands(link, undefined, 'painted')).toEqual({ kind: 'tied', why });
  });

  test('shows a file while a person says how it is read, until another answer takes its place', () => {
    const table = { columns: [], titles: [], types: [], rows: [], total_rows: 0 };
    const options = {
      ...{ delimiter: null, encoding: null, skip: 0, header: 3, footer: null, missing: [] },
      ...{ decimal: null, thousands: null, dates: null }
    };
    const preview = {
      ...{ name: 'milk.csv', is_other: false, options, sheet: null, sheets: [], note: 'Read as: …', lines: ['a;b'] },
      ...{ columns: ['a', 'b'], rows: [], refused: '' }
    };
    const told = after(OPEN, shown('sum-01'), arrived(painted(card({ table }))));
    const seen = reduce(told, arrived({ kind: 'file_seen', card_id: 'sum-01', preview }));
    const replaced = reduce(seen, arrived(painted(card({ card_id: 'sum-02', table }), 'sum-01')));
    const closed = reduce(seen, { kind: 'file-closed', cardId: 'sum-01' });

    expect(seen.entries.get('sum-01')?.file).toEqual(preview);
    expect([replaced, closed].map(state => state.entries.get('sum-01')?.file)).toEqual([null, null]);
  });

  test('takes the place of the one that it replaces, and stands in its own', () => {
    const state = after(shown('sum-01'), arrived(painted(card({ card_id: 'mean-02' }), 'sum-01')));

    expect([...state.entries].map(([id, entry]) => [id, entry.painted?.card.card_id])).toEqual([
      ['sum-01', 'mean-02'],
      ['mean-02', 'mean-02']
    ]);
  });

  test('keeps the reason that is being written when it is painted as it was, and loses it with the card', () => {
    const drafted: Happening = { kind: 'drafted', cardId: 'sum-01', draft: { step: 'output', notes: 'too few' } };
    const written = after(arrived(painted(card())), drafted);

    expect(reduce(written, arrived(painted(card()))).entries.get('sum-01')?.draft?.notes).toBe('too few');
    const decided = painted(card({ status: 'REJECTED' }));
    expect(reduce(written, arrived(decided)).entries.get('sum-01')?.draft).toBeNull();
  });

  test('keeps a refusal while only checks tick in', () => {
    const refused = after(
      arrived(painted(card())),
      arrived({ kind: 'refused', card_id: 'sum-01', message: 'The name is taken.', looked: false })
    );
    const ticked = painted(card({ findings: [{ rule: 'x' }] as unknown as ReturnType<typeof card>['findings'] }));

    expect(reduce(refused, arrived(ticked)).entries.get('sum-01')?.refusal).toBe('The name is taken.');
  });

  test.each([
    [card({ status: 'DRAFT' }), 'testing'],
    [card(), 'output-asked'],
    [card({ feedback: { ...card().feedback, output: 'OUTPUT_ACCEPTED' } }), 'saving-asked'],
    [card({ status: 'PROMOTED' }), 'live'],
    [card({ status: 'PROMOTED', reused: true }), 'reused'],
    [card({ status: 'REJECTED' }), 'failed'],
    [card({ status: 'REJECTED', feedback: { ...card().feedback, output: 'OUTPUT_REJECTED' } }), 'rejected']
  ])('stands where its status and its decisions say (%#)', (one, where) => {
    expect(stand(one)).toBe(where);
  });
});

describe('a kernel that goes away', () => {
  test('makes all that was known a memory, and nothing waits for it any more', () => {
    const state = after(OPEN, arrived(painted(card())), sent({ kind: 'undo', card_id: 'sum-01' }), {
      kind: 'linked',
      link: 'none'
    });

    expect(state.entries.get('sum-01')).toMatchObject({ standing: 'unasked', sent: null });
    expect(state.entries.get('sum-01')?.painted?.card.card_id).toBe('sum-01');
  });

  test('is at no question any more, but one that is being opened may be', () => {
    const going = after(OPEN, { kind: 'asked', asking: asking() });

    const linked = (link: Link) => reduce(going, { kind: 'linked', link });
    const isAt = (state: State) => [...state.questions.values()].map(isGoing);

    expect(isAt(going)).toEqual([true]);
    expect(isAt(linked('none'))).toEqual([false]);
    expect(isAt(linked('opening'))).toEqual([true]);
  });
});

describe('a question on its way', () => {
  test('stands as the later of what the notebook and what the kernel says', () => {
    const state = after(arrived(asking({ number: 5, state: 'over' })), {
      kind: 'asked',
      asking: asking({ number: 2 })
    });

    expect(state.questions.get('a1')?.asking.state).toBe('over');
  });

  test('that comes back instead of an answer stands below the card that it came of', () => {
    const back = question('question-1');
    const state = after(arrived(painted(card())), arrived({ kind: 'asked_back', card_id: 'sum-01', question: back }));

    expect(state.entries.get('sum-01')?.asked).toEqual(back);
    expect(hands('open', state.entries.get('question-1'), 'waiting')).toEqual({ kind: 'free' });
  });
});

test('a happening changes the state that it is told of and leaves the one before as it was', () => {
  const before = after(arrived(painted(card())));
  const size = before.entries.size;

  reduce(before, shown('other-02'));

  expect(before.entries.size).toBe(size);
});
