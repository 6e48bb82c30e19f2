// What the side panel shows: a closed state, and the pure function to the next one.

import type {
  Card,
  Confirms,
  Diff,
  PanelActivity,
  PanelClients,
  PanelFromPage,
  PanelInbox,
  PanelLibrary,
  PanelOutcome,
  PanelPart,
  PanelSeen,
  PanelTool,
  PanelToPage,
  PanelVerified
} from '../messages';
import { Stored } from '../stored';

export const SECTIONS = ['inbox', 'library', 'health', 'activity'] as const;
export type Section = (typeof SECTIONS)[number];

/** How the Jupyter server is reached; `missing` is where it does not have our part. */
export type Link = 'opening' | 'open' | 'lost' | 'missing';

/** The answer that a person looks at; `reason` is that of a rejection that was begun. */
export interface OpenedCard {
  readonly cardId: string;
  readonly card: Card | null;
  readonly confirmed: ReadonlyArray<Confirms>;
  readonly reason: string | null;
  /** That it was decided meanwhile, or its content is another one now. */
  readonly stale: boolean;
}

/** The tool that a person looks at. */
export interface OpenedTool {
  readonly name: string;
  readonly tool: PanelTool | null;
  readonly diff: Diff | null;
  /** Whether it was asked to take it out of use, which asks back. */
  readonly leaving: boolean;
}

/** What came of the last thing that a person did here. */
export interface Notice {
  readonly sentence: string;
  readonly outcomes: ReadonlyArray<PanelOutcome>;
  readonly failed: boolean;
}

export interface Panel {
  readonly link: Link;
  readonly section: Section;
  readonly inbox: PanelInbox | null;
  readonly picked: ReadonlySet<string>;
  /** The reason of a rejection of all that is picked, where that was begun. */
  readonly reason: string | null;
  readonly card: OpenedCard | null;
  readonly query: string;
  readonly library: PanelLibrary | null;
  readonly tool: OpenedTool | null;
  readonly clients: PanelClients | null;
  readonly parts: ReadonlyMap<string, PanelPart>;
  readonly verified: PanelVerified | null;
  readonly activity: PanelActivity | null;
  /** What a person did and what was not answered yet. */
  readonly sent: PanelFromPage['kind'] | null;
  readonly notice: Notice | null;
}

export type Happening =
  | { readonly kind: 'linked'; readonly link: Link }
  | { readonly kind: 'section'; readonly section: Section }
  | { readonly kind: 'heard'; readonly message: PanelToPage }
  | { readonly kind: 'sent'; readonly what: PanelFromPage['kind'] }
  | { readonly kind: 'picked'; readonly cardIds: ReadonlyArray<string>; readonly isPicked: boolean }
  | { readonly kind: 'reasoned'; readonly reason: string | null }
  | { readonly kind: 'card-opened'; readonly cardId: string }
  | { readonly kind: 'card-closed' }
  | { readonly kind: 'card-confirmed'; readonly confirmed: ReadonlyArray<Confirms> }
  | { readonly kind: 'card-reasoned'; readonly reason: string | null }
  | { readonly kind: 'queried'; readonly query: string }
  | { readonly kind: 'tool-opened'; readonly name: string }
  | { readonly kind: 'tool-closed' }
  | { readonly kind: 'diff-closed' }
  | { readonly kind: 'leaving'; readonly leaving: boolean }
  | { readonly kind: 'dismissed' };

export const START: Panel = {
  link: 'opening',
  section: 'inbox',
  inbox: null,
  picked: new Set(),
  reason: null,
  card: null,
  query: '',
  library: null,
  tool: null,
  clients: null,
  parts: new Map(),
  verified: null,
  activity: null,
  sent: null,
  notice: null
};

/** What changes something, so that nothing else is begun before it is answered. */
const DOING: ReadonlyArray<PanelFromPage['kind']> = [
  'panel_decide',
  'panel_undo',
  'panel_rollback',
  'panel_unpublish',
  'panel_verify'
];

export function reduce(state: Panel, happening: Happening): Panel {
  switch (happening.kind) {
    case 'linked':
      return { ...state, link: happening.link, sent: happening.link === 'open' ? state.sent : null };
    case 'section':
      return { ...state, section: happening.section, notice: null };
    case 'heard':
      return heard(state, happening.message);
    case 'sent':
      return DOING.includes(happening.what) ? { ...state, sent: happening.what, notice: null } : state;
    case 'picked': {
      const picked = new Set(state.picked);
      happening.cardIds.forEach(id => (happening.isPicked ? picked.add(id) : picked.delete(id)));
      return { ...state, picked, reason: picked.size === 0 ? null : state.reason };
    }
    case 'reasoned':
      return { ...state, reason: happening.reason };
    case 'card-opened': {
      const { cardId } = happening;
      return { ...state, card: { cardId, card: null, confirmed: [], reason: null, stale: false }, notice: null };
    }
    case 'card-closed':
      return { ...state, card: null };
    case 'card-confirmed':
      return looking(state, { confirmed: happening.confirmed });
    case 'card-reasoned':
      return looking(state, { reason: happening.reason });
    case 'queried':
      return { ...state, query: happening.query };
    case 'tool-opened':
      return { ...state, tool: { name: happening.name, tool: null, diff: null, leaving: false }, notice: null };
    case 'tool-closed':
      return { ...state, tool: null };
    case 'diff-closed':
      return state.tool === null ? state : { ...state, tool: { ...state.tool, diff: null } };
    case 'leaving':
      return state.tool === null ? state : { ...state, tool: { ...state.tool, leaving: happening.leaving } };
    case 'dismissed':
      return { ...state, notice: null };
  }
}

function heard(state: Panel, message: PanelToPage): Panel {
  switch (message.kind) {
    case 'panel_changed':
      return state;
    case 'panel_inbox':
      return withInbox(state, message);
    case 'panel_card':
      return state.card?.cardId === message.card.card_id ? shown(state, state.card, message.card) : state;
    case 'panel_decided':
      return decided(state, message.outcomes);
    case 'panel_library':
      // an answer to words that were changed meanwhile is none
      return message.query === state.query ? { ...state, library: message } : state;
    case 'panel_tool':
      return state.tool?.name === message.name ? { ...state, tool: { ...state.tool, tool: message } } : state;
    case 'panel_diff':
      return state.tool?.name === message.diff.tool_name
        ? { ...state, tool: { ...state.tool, diff: message.diff } }
        : state;
    case 'panel_clients':
      return { ...state, clients: message };
    case 'panel_health': {
      const parts = new Map(state.parts);
      message.parts.forEach(part => parts.set(part.name, part));
      return { ...state, parts };
    }
    case 'panel_verified':
      return { ...state, verified: message, sent: null };
    case 'panel_activity':
      return { ...state, activity: message };
    case 'panel_told': {
      const tool = state.tool === null ? null : { ...state.tool, leaving: false, diff: null };
      return { ...state, tool, sent: null, notice: { sentence: message.sentence, outcomes: [], failed: false } };
    }
    case 'panel_refused':
      return refused(state, message.about, message.message);
  }
}

/** What waits no more is not picked any more; a card that is looked at and waits no more says so. */
function withInbox(state: Panel, inbox: PanelInbox): Panel {
  const waiting = new Map(inbox.cards.map(one => [one.card_id, one.fingerprint]));
  const picked = new Set([...state.picked].filter(id => waiting.has(id)));
  const { card } = state;
  const seen = card?.card?.fingerprint;
  const stale = card !== null && seen !== undefined && waiting.get(card.cardId) !== seen;
  return {
    ...state,
    inbox,
    picked,
    reason: picked.size === 0 ? null : state.reason,
    card: card === null ? null : { ...card, stale }
  };
}

/** What was confirmed of other content does not count for this. */
function shown(state: Panel, before: OpenedCard, card: Card): Panel {
  const isSame = before.card?.fingerprint === card.fingerprint;
  return { ...state, card: { ...before, card, confirmed: isSame ? before.confirmed : [] } };
}

function decided(state: Panel, outcomes: ReadonlyArray<PanelOutcome>): Panel {
  const done = new Set(outcomes.filter(one => one.done).map(one => one.card_id));
  const card = state.card !== null && done.has(state.card.cardId) ? null : state.card;
  const notice = { sentence: '', outcomes, failed: outcomes.some(one => !one.done) };
  // the list that comes next leaves them out as well, but nobody should open one until then
  const inbox =
    state.inbox === null ? null : { ...state.inbox, cards: state.inbox.cards.filter(one => !done.has(one.card_id)) };
  return { ...state, sent: null, picked: new Set(), reason: null, card, inbox, notice };
}

/** What cannot be shown any more is closed; why stands in the notice. */
function refused(state: Panel, about: string, sentence: string): Panel {
  const next = { ...state, sent: null, notice: { sentence, outcomes: [], failed: true } };
  switch (about) {
    case 'panel_card_wanted':
      return { ...next, card: null };
    case 'panel_tool_wanted':
      return { ...next, tool: null };
    default:
      return next;
  }
}

function looking(state: Panel, change: Partial<OpenedCard>): Panel {
  return state.card === null ? state : { ...state, card: { ...state.card, ...change } };
}

/** What a decision about the picked cards is bound to. */
export function seenOf(state: Panel): PanelSeen[] {
  const cards = state.inbox?.cards ?? [];
  return cards
    .filter(one => state.picked.has(one.card_id))
    .map(one => ({ card_id: one.card_id, fingerprint: one.fingerprint, confirmed: [] }));
}

export class PanelStore extends Stored<Panel, Happening> {
  constructor(start: Partial<Panel>) {
    super({ ...START, ...start }, reduce);
  }
}
