// What the page knows about its cards: a closed state, and the pure function from events to the next state.

import { JSONExt, ReadonlyPartialJSONValue } from '@lumino/coreutils';

import type { Link } from './line';
import { asked as askedFor, Looking, looking, seen, settled } from './looking';
import type {
  Answer,
  AskedBack,
  Asking,
  Behind,
  Card,
  Confirms,
  Drawn,
  Fetched,
  FilePreview,
  FromPage,
  Painted,
  PartChoices,
  PlainCode,
  QuestionBack,
  Refused,
  Taken,
  ToPage,
  Waiting
} from './messages';
import { Stored } from './stored';

/** A reason being written, and for which of the two questions. */
export interface Draft {
  readonly step: Answer['step'];
  readonly notes: string;
}

/** One card or question: what the registry last said, what was sent and not yet answered, and what is being written. */
export interface Entry {
  readonly painted: Painted | null;
  readonly waiting: Waiting | null;
  readonly standing: 'unasked' | 'known' | 'unknown';
  readonly sent: FromPage['kind'] | null;
  readonly refusal: string | null;
  readonly draft: Draft | null;
  /** What was confirmed so far of an approval that was begun; null where none was. */
  readonly confirmed: ReadonlyArray<Confirms> | null;
  readonly behind: Behind | null;
  /** The part of the reading whose choices are open. */
  readonly offered: PartChoices | null;
  /** What came of other words that were asked, where it is no answer. */
  readonly asked: QuestionBack | null;
  /** How the result is looked at; null while only the card's own rows are. */
  readonly looking: Looking | null;
  /** The chart that takes the place of the card's own. */
  readonly drawn: Drawn | null;
  readonly code: PlainCode | null;
  /** A file that a person looks into, to say otherwise how it is read. */
  readonly file: FilePreview | null;
  /** What became of the rows that were taken away, or why they cannot be seen. */
  readonly told: Taken | Fetched | Refused | null;
}

/** What of a card is changed by looking closer at it. */
export type Looked = Pick<Entry, 'behind' | 'looking' | 'drawn' | 'code' | 'file' | 'told'>;

/** One question on its way: how far it is, whether it was told to stop, and whether its kernel has forgotten it. */
export interface Going {
  readonly asking: Asking;
  readonly stopping: boolean;
  readonly gone: boolean;
}

export interface State {
  readonly link: Link;
  readonly entries: ReadonlyMap<string, Entry>;
  readonly questions: ReadonlyMap<string, Going>;
}

export type Happening =
  | { readonly kind: 'linked'; readonly link: Link }
  | { readonly kind: 'shown'; readonly cardId: string }
  | { readonly kind: 'sent'; readonly cardId: string; readonly message: FromPage }
  | { readonly kind: 'own-chart'; readonly cardId: string }
  | { readonly kind: 'arrived'; readonly message: ToPage }
  | { readonly kind: 'closed'; readonly cardId: string }
  | { readonly kind: 'file-closed'; readonly cardId: string }
  | { readonly kind: 'parts-closed'; readonly cardId: string }
  | { readonly kind: 'asked-closed'; readonly cardId: string }
  | { readonly kind: 'asked'; readonly asking: Asking }
  | { readonly kind: 'stopping'; readonly askingId: string }
  | { readonly kind: 'drafted'; readonly cardId: string; readonly draft: Draft | null }
  | {
      readonly kind: 'confirmed';
      readonly cardId: string;
      readonly confirmed: ReadonlyArray<Confirms> | null;
    };

const NEW: Entry = {
  painted: null,
  waiting: null,
  standing: 'unasked',
  sent: null,
  refusal: null,
  draft: null,
  confirmed: null,
  behind: null,
  offered: null,
  asked: null,
  looking: null,
  drawn: null,
  code: null,
  file: null,
  told: null
};

/** Of a card that nobody looked closer at. */
export const UNLOOKED: Looked = NEW;

export const START: State = { link: 'none', entries: new Map(), questions: new Map() };

export function reduce(state: State, happening: Happening): State {
  switch (happening.kind) {
    case 'linked':
      return relinked(state, happening.link);
    case 'shown':
      return state.entries.has(happening.cardId) ? state : changed(state, happening.cardId, {});
    case 'sent':
      return sent(state, happening.cardId, happening.message);
    case 'own-chart':
      return changed(state, happening.cardId, { drawn: null });
    case 'closed':
      return changed(state, happening.cardId, { behind: null });
    case 'file-closed':
      return changed(state, happening.cardId, { file: null, refusal: null });
    case 'parts-closed':
      return changed(state, happening.cardId, { offered: null, refusal: null });
    case 'asked-closed':
      return changed(state, happening.cardId, { asked: null });
    case 'asked':
      return asked(state, happening.asking);
    case 'stopping':
      return questioned(state, happening.askingId, { stopping: true });
    case 'drafted':
      return changed(state, happening.cardId, { draft: happening.draft });
    case 'confirmed':
      return changed(state, happening.cardId, { confirmed: happening.confirmed, draft: null, refusal: null });
    case 'arrived':
      return arrived(state, happening.message);
  }
}

function arrived(state: State, message: ToPage): State {
  switch (message.kind) {
    case 'painted': {
      const places = [message.card.card_id, ...(message.replaces === null ? [] : placesOf(state, message.replaces))];
      return places.reduce((before, place) => repainted(before, place, message), state);
    }
    case 'behind':
    case 'seen':
    case 'taken':
    case 'fetched':
    case 'drawn':
    case 'code_read':
    case 'file_seen':
      return lookedCloser(state, message);
    case 'offered':
      return changed(state, message.card_id, { offered: message.offered, standing: 'known', sent: null });
    case 'asked_back':
      return askedBack(state, message);
    case 'waiting':
      return changed(state, message.card_id, { waiting: message, standing: 'known', sent: null });
    case 'unknown_card':
      return changed(state, message.card_id, { standing: 'unknown', sent: null });
    case 'refused':
      return message.looked
        ? lookedCloser(state, message)
        : changed(state, message.card_id, { refusal: message.message, sent: null });
    case 'asking':
      return questioned(asked(state, message), message.asking_id, { gone: false });
    case 'unasked':
      return questioned(state, message.asking_id, { gone: true });
  }
}

/** A closer look holds nothing up; anything else that was sent has to be answered before the next. */
function sent(state: State, cardId: string, message: FromPage): State {
  switch (message.kind) {
    case 'look': {
      const before = lookingOf(state, cardId);
      const now = before && askedFor(before, message.view, message.first);
      return now === null ? state : changed(state, cardId, { looking: now, told: null });
    }
    case 'explain':
    case 'take':
    case 'fetch':
    case 'draw':
    case 'read_code':
    case 'look_into_file':
      return changed(state, cardId, { told: null });
    default:
      return changed(state, cardId, { sent: message.kind, refusal: null });
  }
}

function lookingOf(state: State, cardId: string): Looking | null {
  const entry = state.entries.get(cardId);
  return entry?.looking ?? (entry?.painted ? looking(entry.painted.card.table) : null);
}

/** The places that show a card are found by what is shown there, because another card may have taken a place. */
function lookedCloser(state: State, message: Extract<ToPage, { kind: 'refused' | Found['kind'] }>): State {
  const places = [...state.entries].filter(
    ([place, { painted }]) => place === message.card_id || painted?.card.card_id === message.card_id
  );
  return places.reduce((before, [place]) => changed(before, place, lookedAt(before, place, message)), state);
}

type Found = Extract<ToPage, { kind: 'behind' | 'seen' | 'taken' | 'fetched' | 'drawn' | 'code_read' | 'file_seen' }>;

function lookedAt(state: State, place: string, message: Found | Refused): Partial<Looked> {
  const before = lookingOf(state, place);
  switch (message.kind) {
    case 'behind':
      return { behind: message };
    case 'seen':
      return before === null ? {} : { looking: seen(before, message) };
    case 'drawn':
      return { drawn: message };
    case 'code_read':
      return { code: message.code };
    case 'file_seen':
      return { file: message.preview };
    case 'taken':
    case 'fetched':
      return { told: message };
    case 'refused':
      return { told: message, looking: before && settled(before) };
  }
}

/** Where something is shown: in its own place, and below what was asked in other words. */
function placesOf(state: State, id: string): string[] {
  const below = [...state.entries].filter(([, entry]) => entry.asked?.question_id === id).map(([place]) => place);
  return [id, ...below];
}

/** The question can be picked from like any other, and stands below the card or question that it came of. */
function askedBack(state: State, { card_id: cardId, question }: AskedBack): State {
  const waiting: Waiting = { kind: 'waiting', card_id: question.question_id, question };
  const known = changed(state, question.question_id, { waiting, standing: 'known', sent: null });
  return placesOf(known, cardId).reduce(
    (before, place) => changed(before, place, { asked: question, standing: 'known', sent: null }),
    known
  );
}

/** What the notebook holds and what the kernel tells come by two ways; the later one counts. */
function asked(state: State, asking: Asking): State {
  const before = state.questions.get(asking.asking_id);
  if (before !== undefined && before.asking.number >= asking.number) {
    return state;
  }
  const going = { ...(before ?? { stopping: false, gone: false }), asking: { ...asking, card: null } };
  return { ...state, questions: new Map(state.questions).set(asking.asking_id, going) };
}

function questioned(state: State, askingId: string, change: Partial<Going>): State {
  const before = state.questions.get(askingId);
  return before === undefined
    ? state
    : { ...state, questions: new Map(state.questions).set(askingId, { ...before, ...change }) };
}

/** Tells a question on its way from the card that takes its place. */
export function isAsking(shown: Card | Asking): shown is Asking {
  return 'asking_id' in shown;
}

/** Whether a question is on its way, as far as this page can know. */
export function isGoing({ asking, gone }: Going): boolean {
  return asking.state === 'going' && !gone;
}

/** The question that a card answers, where this page saw it being answered. */
export function questionOf(state: State, card: Card): Going | undefined {
  return [...state.questions.values()].filter(one => one.asking.card_id === card.card_id).at(-1);
}

/** A card as the kernel told of it last, or as it is where the kernel told nothing. */
export function latestCard(state: State, card: Card): Card {
  return state.entries.get(card.card_id)?.painted?.card ?? card;
}

/** A reason that is being written, or an approval that was begun, survives a painting that changes nothing. */
function repainted(state: State, cardId: string, message: Painted): State {
  const before = state.entries.get(cardId) ?? NEW;
  const same = before.painted !== null && sameCard(before.painted.card, message.card);
  const kept = same ? before : NEW;
  // checks that tick in later are no answer to what was refused meanwhile
  const stands = before.painted !== null && sameStanding(before.painted.card, message.card);
  const refusal = stands ? before.refusal : null;
  const { behind, looking: looked, drawn, code, file, told } = stands ? before : NEW;
  const begun = {
    draft: kept.draft,
    confirmed: kept.confirmed,
    offered: kept.offered,
    asked: null,
    ...{ behind, looking: looked, drawn, code, file, told }
  };
  return changed(state, cardId, { painted: message, standing: 'known', sent: null, refusal, ...begun });
}

function sameStanding(one: Card, other: Card): boolean {
  return sameCard({ ...one, evidence: [], findings: [] }, { ...other, evidence: [], findings: [] });
}

export function sameCard(one: Card, other: Card): boolean {
  return JSONExt.deepEqual(one as unknown as ReadonlyPartialJSONValue, other as unknown as ReadonlyPartialJSONValue);
}

function changed(state: State, cardId: string, change: Partial<Entry>): State {
  const entry = { ...(state.entries.get(cardId) ?? NEW), ...change };
  return { ...state, entries: new Map(state.entries).set(cardId, entry) };
}

/** A new link makes all earlier knowledge a memory: what was sent may be lost, so nothing stays waiting for it. */
function relinked(state: State, link: Link): State {
  if (link === state.link && (link === 'opening' || link === 'open')) {
    return state;
  }
  if (link === 'open') {
    return { ...state, link };
  }
  // a kernel that is busy cannot say yet whether it is at a question
  const questions = new Map<string, Going>();
  state.questions.forEach((one, id) => questions.set(id, { ...one, gone: link !== 'opening' }));
  return { ...forgotten(state), link, questions };
}

function forgotten(state: State): State {
  const entries = new Map<string, Entry>();
  state.entries.forEach((entry, id) =>
    entries.set(id, { ...entry, standing: 'unasked', sent: null, looking: entry.looking && settled(entry.looking) })
  );
  return { ...state, entries };
}

/** What can be done with the card from here. */
export type Hands =
  | { readonly kind: 'free' }
  | { readonly kind: 'waiting' }
  | { readonly kind: 'tied'; readonly why: 'no-kernel' | 'not-loaded' | 'shared-kernel' | 'unknown-card' };

/** Where the card is on its way. */
export type Stand =
  'testing' | 'failed' | 'output-asked' | 'saving-asked' | 'saving' | 'live' | 'archived' | 'reused' | 'rejected';

/**
 * A card or question can be acted on only as the kernel sent it: what stands in the notebook may be anybody's words
 * beside the id of something that the kernel holds.
 */
export function hands(link: Link, entry: Entry | undefined, shown: 'painted' | 'waiting'): Hands {
  switch (link) {
    case 'none':
      return { kind: 'tied', why: 'no-kernel' };
    case 'deaf':
      return { kind: 'tied', why: 'not-loaded' };
    case 'shared':
      return { kind: 'tied', why: 'shared-kernel' };
    case 'opening':
      return { kind: 'waiting' };
    case 'open':
      if (entry === undefined || entry.standing === 'unasked' || entry.sent !== null) {
        return { kind: 'waiting' };
      }
      return entry.standing === 'known' && entry[shown] !== null
        ? { kind: 'free' }
        : { kind: 'tied', why: 'unknown-card' };
  }
}

export function stand(card: Card): Stand {
  if (card.reused) {
    return 'reused';
  }
  switch (card.status) {
    case 'PROMOTED':
      return card.archived ? 'archived' : 'live';
    case 'APPROVED':
      return 'saving';
    case 'REJECTED':
      return card.feedback.decision === 'PENDING' && card.feedback.output !== 'OUTPUT_REJECTED' ? 'failed' : 'rejected';
    case 'DRAFT':
      return 'testing';
    case 'STAGED':
      if (card.feedback.output === 'OUTPUT_REJECTED' || card.feedback.decision === 'REJECTED') {
        return 'rejected';
      }
      return card.feedback.output === 'OUTPUT_ACCEPTED' ? 'saving-asked' : 'output-asked';
  }
}

/** The state of one notebook, and a signal for its views. */
export class Store extends Stored<State, Happening> {
  constructor() {
    super(START, reduce);
  }
}
