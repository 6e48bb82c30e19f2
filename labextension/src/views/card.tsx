// The card: reading, result, evidence, details, decision; a pure function of the saved card and the store's state.

import type { IRenderMimeRegistry } from '@jupyterlab/rendermime';
import type { CommandRegistry } from '@lumino/commands';
import type { ReadonlyPartialJSONObject } from '@lumino/coreutils';
import * as React from 'react';

import { COMMANDS } from '../commands';
import type { Asking, Card } from '../messages';
import { mayMoveFocus } from '../preferences';
import type { CardSession } from '../session';
import type { Link } from '../line';
import { PAGE } from '../looking';
import { Entry, Going, hands, isAsking, isGoing, questionOf, Stand, stand, START, State, UNLOOKED } from '../store';
import { useStored } from '../stored';
import { shortened } from '../words';
import { AskingHeader } from './asking';
import { BehindPart } from './behind';
import { Decision } from './decision';
import { Details } from './details';
import { DiffPart } from './diff';
import { Drawings } from './drawings';
import { EvidencePart } from './evidence';
import { ReadFileButtons } from './file';
import type { Acts, Outlook } from './outlook';
import { AskedInstead } from './question';
import { Reading } from './reading';
import { Result } from './result';
import { Strip } from './strip';

/** While a person can still say that something else was meant, the card says who read the question. */
const ASKS: ReadonlyArray<Stand> = ['testing', 'output-asked', 'reused'];

/** What is read in another way is another answer, so it can be said until the answer was taken for right. */
const MAY_READ_OTHERWISE: ReadonlyArray<Stand> = ['output-asked', 'saving-asked', 'failed', 'reused'];

/** What the page gives a card; `session` is null where there is no notebook behind it. */
export interface Surroundings {
  readonly rendermime: IRenderMimeRegistry;
  readonly commands: CommandRegistry;
  readonly session: CardSession | null;
  /** Puts code into a new cell below; null where there is no notebook around. */
  readonly insert: ((source: string) => void) | null;
}

/** A question on its way or its answer: one tree, so that nothing on the page is made anew when the card comes. */
export function CardView({
  saved,
  rendermime,
  commands,
  session,
  insert
}: Surroundings & { saved: Card | Asking }): JSX.Element {
  const state = useStoreState(session);
  const going = goingOf(saved, state);
  const card = isAsking(saved) ? saved.card : saved;
  const outlook = card && outlookOf(card, state.link, state.entries.get(card.card_id), going);
  const acts = card && actsOf(outlook?.card ?? card, card.card_id, commands, session, insert);
  const shownId = outlook?.card.card_id;
  const asked = card && state.entries.get(card.card_id)?.asked;
  const place = React.useRef<HTMLElement>(null);
  React.useEffect(() => {
    const takes = shownId !== undefined && session?.takesFocus(shownId);
    if (takes && mayMoveFocus() && document.activeElement === document.body) {
      place.current?.focus({ preventScroll: true });
    }
  }, [session, shownId]);
  const stop = (askingId: string) =>
    void commands.execute(COMMANDS.stop, { session: session?.id ?? '', asking_id: askingId });
  return (
    <section
      ref={place}
      tabIndex={-1}
      className="jp-mcpgen-Card"
      role="region"
      aria-label={outlook ? `Answer: ${shortened(outlook.card.reading)}` : `Question: ${going?.asking.question ?? ''}`}
      data-stand={outlook?.stand ?? 'asking'}
      data-sound={outlook?.card.sound ?? true}
    >
      {outlook && acts ? (
        <Reading outlook={outlook} acts={acts} />
      ) : (
        going && <AskingHeader asking={going.asking} isGoing={isGoing(going)} />
      )}
      {going && <Strip going={going} stop={stop} interrupt={() => session?.interrupt()} />}
      {outlook && acts && (
        <>
          {asked && (
            <AskedInstead asked={asked} shownId={card.card_id} {...{ rendermime, commands, session, insert }} />
          )}
          <Result outlook={outlook} acts={acts} rendermime={rendermime} />
          <Drawings figures={outlook.card.figures} />
          {outlook.looked.behind !== null && (
            <BehindPart behind={outlook.looked.behind} outlook={outlook} acts={acts} />
          )}
          <EvidencePart
            card={outlook.card}
            asks={ASKS.includes(outlook.stand)}
            beside={assumed =>
              MAY_READ_OTHERWISE.includes(outlook.stand) && (
                <ReadFileButtons note={assumed} outlook={outlook} acts={acts} />
              )
            }
          />
          {outlook.card.diff && <DiffPart diff={outlook.card.diff} rendermime={rendermime} />}
          <Details outlook={outlook} acts={acts} rendermime={rendermime} />
          <Decision outlook={outlook} acts={acts} />
        </>
      )}
    </section>
  );
}

/** How far the question is by the later of what the notebook and what the kernel says; a page without kernel has one. */
function goingOf(saved: Card | Asking, state: State): Going | undefined {
  if (!isAsking(saved)) {
    return questionOf(state, state.entries.get(saved.card_id)?.painted?.card ?? saved);
  }
  const told = state.questions.get(saved.asking_id);
  const isLater = told !== undefined && told.asking.number >= saved.number;
  return isLater ? told : { asking: saved, stopping: false, gone: told?.gone ?? true };
}

function outlookOf(saved: Card, link: Link, entry: Entry | undefined, going: Going | undefined): Outlook {
  const card = entry?.painted?.card ?? saved;
  return {
    card,
    isLeft: going !== undefined && going.asking.state !== 'over' && !isGoing(going),
    clients: entry?.painted?.clients ?? null,
    hands: hands(link, entry, 'painted'),
    stand: stand(card),
    refusal: entry?.refusal ?? null,
    draft: entry?.draft ?? null,
    confirmed: entry?.confirmed ?? null,
    looked: entry ?? UNLOOKED,
    offered: entry?.offered ?? null
  };
}

function actsOf(
  card: Card,
  shownId: string,
  commands: CommandRegistry,
  session: CardSession | null,
  insert: Surroundings['insert']
): Acts {
  const run = (command: string, args: ReadonlyPartialJSONObject) =>
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
    look: (view, first) => run(COMMANDS.look, { view, first, count: PAGE } as unknown as ReadonlyPartialJSONObject),
    take: (rows, name) => run(COMMANDS.take, { rows, name } as unknown as ReadonlyPartialJSONObject),
    fetch: (rows, form) => run(COMMANDS.fetch, { rows, form } as unknown as ReadonlyPartialJSONObject),
    draw: chart =>
      chart === null ? session?.store.dispatch({ kind: 'own-chart', cardId: shownId }) : run(COMMANDS.draw, { chart }),
    readCode: () => run(COMMANDS.readCode, {}),
    lookIntoFile: (isOther, options, sheet) =>
      run(COMMANDS.lookIntoFile, { is_other: isOther, options, sheet } as unknown as ReadonlyPartialJSONObject),
    closeFile: () => session?.store.dispatch({ kind: 'file-closed', cardId: shownId }),
    readSo: (isOther, options, sheet) =>
      run(COMMANDS.readSo, { is_other: isOther, options, sheet } as unknown as ReadonlyPartialJSONObject),
    insert,
    draft: draft => session?.store.dispatch({ kind: 'drafted', cardId: shownId, draft })
  };
}

export function useStoreState(session: CardSession | null): State {
  return useStored(session?.store, START);
}
