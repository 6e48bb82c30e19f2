// What the page knows about the tools that AI clients offer: a closed state, and the pure function to the next one.

import type { Confirms, ConsentAsked, ConsentOver, ConsentRefused, ConsentShown } from './messages';
import { Stored } from './stored';

/** A request, and the lines to the kernels and the server that tell of it. */
export interface Request {
  readonly asked: ConsentAsked;
  readonly lines: ReadonlyArray<string>;
}

/** The request that a person looks at. */
export interface Opened {
  readonly requestId: string;
  /** The line over which it was asked for: who is at its other end has the token. */
  readonly line: string;
  readonly shown: ConsentShown | null;
  readonly confirmed: ReadonlyArray<Confirms>;
  readonly notes: string;
  readonly sent: boolean;
  /** Why what is shown cannot be decided about any more; it has to be asked for again. */
  readonly stale: string | null;
}

export interface Consents {
  readonly requests: ReadonlyMap<string, Request>;
  readonly opened: Opened | null;
}

export type Happening =
  | { readonly kind: 'waiting'; readonly line: string; readonly requests: ReadonlyArray<ConsentAsked> }
  | { readonly kind: 'asked'; readonly line: string; readonly asked: ConsentAsked }
  | { readonly kind: 'lost'; readonly line: string }
  | { readonly kind: 'opened'; readonly requestId: string; readonly line: string }
  | { readonly kind: 'shown'; readonly message: ConsentShown }
  | { readonly kind: 'aged'; readonly token: string }
  | { readonly kind: 'refused'; readonly message: ConsentRefused }
  | { readonly kind: 'confirmed'; readonly confirmed: ReadonlyArray<Confirms> }
  | { readonly kind: 'noted'; readonly notes: string }
  | { readonly kind: 'sent' }
  | { readonly kind: 'over'; readonly message: ConsentOver }
  | { readonly kind: 'closed' };

const START: Consents = { requests: new Map(), opened: null };
const AGED = 'You opened this request more than 5 minutes ago. Look at it again, then decide.';
const LOST = 'The kernel or server that showed this request is gone. Close this, and open the request again.';

export function reduce(state: Consents, happening: Happening): Consents {
  switch (happening.kind) {
    case 'waiting':
      return happening.requests.reduce(
        (next, asked) => asking(next, happening.line, asked),
        forgotten(state, happening.line, new Set(happening.requests.map(one => one.request_id)))
      );
    case 'asked':
      return asking(state, happening.line, happening.asked);
    case 'lost':
      return forgotten(state, happening.line, new Set());
    case 'opened':
      return { ...state, opened: opening(state.opened, happening.requestId, happening.line) };
    case 'shown':
      return looking(state, happening.message.request.request_id, opened => repainted(opened, happening.message));
    case 'aged':
      return state.opened?.shown?.request.token === happening.token && !state.opened.sent
        ? { ...state, opened: { ...state.opened, stale: AGED } }
        : state;
    case 'refused':
      return looking(state, happening.message.request_id, opened => ({
        ...opened,
        sent: false,
        stale: happening.message.message
      }));
    case 'confirmed':
      return looking(state, null, opened => ({ ...opened, confirmed: happening.confirmed }));
    case 'noted':
      return looking(state, null, opened => ({ ...opened, notes: happening.notes }));
    case 'sent':
      return looking(state, null, opened => ({ ...opened, sent: true }));
    case 'over':
      return without(state, happening.message.request_id);
    case 'closed':
      return state.opened === null ? state : { ...state, opened: null };
  }
}

function asking(state: Consents, line: string, asked: ConsentAsked): Consents {
  const lines = state.requests.get(asked.request_id)?.lines ?? [];
  const request = { asked, lines: lines.includes(line) ? lines : [...lines, line] };
  return { ...state, requests: new Map(state.requests).set(asked.request_id, request) };
}

/** What a line told is forgotten, but for what it still tells; another line may tell the same. */
function forgotten(state: Consents, line: string, kept: ReadonlySet<string>): Consents {
  const requests = new Map<string, Request>();
  for (const [requestId, { asked, lines }] of state.requests) {
    const left = kept.has(requestId) ? lines : lines.filter(one => one !== line);
    if (left.length > 0) {
      requests.set(requestId, { asked, lines: left });
    }
  }
  const { opened } = state;
  const isLost = opened?.line === line && !kept.has(opened.requestId);
  return { requests, opened: isLost ? { ...opened, sent: false, stale: LOST } : opened };
}

/** What was written survives a second look; what was confirmed does not, because the content may be another. */
function opening(before: Opened | null, requestId: string, line: string): Opened {
  const isSame = before?.requestId === requestId;
  return {
    requestId,
    line,
    shown: isSame ? before.shown : null,
    confirmed: [],
    notes: isSame ? before.notes : '',
    sent: isSame,
    stale: null
  };
}

function repainted(opened: Opened, message: ConsentShown): Opened {
  return { ...opened, shown: message, confirmed: [], sent: false, stale: null };
}

function looking(state: Consents, requestId: string | null, change: (opened: Opened) => Opened): Consents {
  const { opened } = state;
  return opened === null || (requestId !== null && opened.requestId !== requestId)
    ? state
    : { ...state, opened: change(opened) };
}

function without(state: Consents, requestId: string): Consents {
  const requests = new Map(state.requests);
  requests.delete(requestId);
  return { requests, opened: state.opened?.requestId === requestId ? null : state.opened };
}

export class ConsentStore extends Stored<Consents, Happening> {
  constructor() {
    super(START, reduce);
  }
}
