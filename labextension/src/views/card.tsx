// The card: reading, result, evidence, details, decision; a pure function of the saved card and the store's state.

import type { IRenderMimeRegistry } from '@jupyterlab/rendermime';
import type { CommandRegistry } from '@lumino/commands';
import * as React from 'react';

import { COMMANDS } from '../commands';
import type { Card } from '../messages';
import type { CardSession } from '../session';
import type { Link } from '../line';
import { Entry, hands, Stand, stand, START, State } from '../store';
import { useStored } from '../stored';
import { shortened } from '../words';
import { BehindPart } from './behind';
import { Decision } from './decision';
import { Details } from './details';
import { DiffPart } from './diff';
import { Drawings } from './drawings';
import { EvidencePart } from './evidence';
import type { Acts, Outlook } from './outlook';
import { AskedInstead } from './question';
import { Reading } from './reading';
import { Result } from './result';

/** While a person can still say that something else was meant, the card says who read the question. */
const ASKS: ReadonlyArray<Stand> = ['testing', 'output-asked', 'reused'];

/** What the page gives a card; `session` is null where there is no notebook behind it. */
export interface Surroundings {
  readonly rendermime: IRenderMimeRegistry;
  readonly commands: CommandRegistry;
  readonly session: CardSession | null;
}

export function CardView({ saved, rendermime, commands, session }: Surroundings & { saved: Card }): JSX.Element {
  const state = useStoreState(session);
  const entry = state.entries.get(saved.card_id);
  const outlook = outlookOf(saved, state.link, entry);
  const asked = entry?.asked;
  const { card } = outlook;
  const acts = actsOf(card, saved.card_id, commands, session);
  const place = React.useRef<HTMLElement>(null);
  React.useEffect(() => {
    if (session?.takesFocus(card.card_id) && document.activeElement === document.body) {
      place.current?.focus({ preventScroll: true });
    }
  }, [session, card.card_id]);
  return (
    <section
      ref={place}
      tabIndex={-1}
      className="jp-mcpgen-Card"
      role="region"
      aria-label={`Answer: ${shortened(card.reading)}`}
      data-stand={outlook.stand}
      data-sound={card.sound}
    >
      <Reading outlook={outlook} acts={acts} />
      {asked && <AskedInstead asked={asked} shownId={saved.card_id} {...{ rendermime, commands, session }} />}
      <Result outlook={outlook} acts={acts} rendermime={rendermime} />
      <Drawings figures={card.figures} />
      {outlook.behind !== null && <BehindPart behind={outlook.behind} close={acts.close} />}
      <EvidencePart card={card} asks={ASKS.includes(outlook.stand)} />
      {card.diff && <DiffPart diff={card.diff} rendermime={rendermime} />}
      <Details card={card} rendermime={rendermime} />
      <Decision outlook={outlook} acts={acts} />
    </section>
  );
}

function outlookOf(saved: Card, link: Link, entry: Entry | undefined): Outlook {
  const card = entry?.painted?.card ?? saved;
  return {
    card,
    clients: entry?.painted?.clients ?? null,
    hands: hands(link, entry, 'painted'),
    stand: stand(card),
    refusal: entry?.refusal ?? null,
    draft: entry?.draft ?? null,
    confirmed: entry?.confirmed ?? null,
    behind: entry?.behind ?? null,
    offered: entry?.offered ?? null
  };
}

function actsOf(card: Card, shownId: string, commands: CommandRegistry, session: CardSession | null): Acts {
  const run = (command: string, args: { [key: string]: string | number | string[] | null }) =>
    void commands.execute(command, { session: session?.id ?? '', card_id: card.card_id, ...args });
  return {
    answer: (step, answer, notes) =>
      run(COMMANDS.answer, { fingerprint: card.fingerprint, step, answer, notes: notes?.trim() || null }),
    approve: confirmed =>
      run(COMMANDS.answer, {
        fingerprint: card.fingerprint,
        step: 'registration',
        answer: 'approve',
        notes: null,
        confirmed: [...confirmed]
      }),
    confirm: confirmed => session?.store.dispatch({ kind: 'confirmed', cardId: shownId, confirmed }),
    undo: () => run(COMMANDS.undo, {}),
    pick: chip => run(COMMANDS.pick, { chip }),
    offer: part => run(COMMANDS.offer, { part }),
    adjust: (part, values) => run(COMMANDS.adjust, { part, values: [...values] }),
    closeParts: () => session?.store.dispatch({ kind: 'parts-closed', cardId: shownId }),
    askAgain: question => run(COMMANDS.askAgain, { question }),
    explain: row => run(COMMANDS.explain, { row }),
    close: () => session?.store.dispatch({ kind: 'closed', cardId: card.card_id }),
    draft: draft => session?.store.dispatch({ kind: 'drafted', cardId: shownId, draft })
  };
}

export function useStoreState(session: CardSession | null): State {
  return useStored(session?.store, START);
}
