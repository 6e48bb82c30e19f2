// The requests of AI clients on this page, whichever kernel or server tells of them, and a person's decisions.

import { Notification } from '@jupyterlab/apputils';
import type { DocumentRegistry } from '@jupyterlab/docregistry';
import { DisposableDelegate, IDisposable } from '@lumino/disposable';

import { ConsentStore, Request } from './consents';
import { Line } from './line';
import {
  CONSENT_TARGET,
  ConsentAsked,
  ConsentDecision,
  ConsentFromPage,
  ConsentOver,
  ConsentShown,
  ConsentToPage
} from './messages';
import { ServerLine } from './server';

/** As many requests stand on the page at a time; the next ones follow when these are dealt with. */
const MOST_NOTICES = 3;
const TOLD_MILLISECONDS = 15_000;
const SERVER = 'server';
const SOCKET = 'consents';

/** A way over which requests are told of and decided. */
interface Way {
  readonly isOpen: boolean;
  send(message: ConsentFromPage): void;
}

/** The part of a notebook's model that we need. */
interface NotebookLike {
  readonly sharedModel?: { readonly cells?: ReadonlyArray<{ readonly source: string }> };
}

export class Inbox {
  constructor() {
    this.store.changed.connect(() => this._notify());
    Notification.manager.changed.connect((_, change) => {
      if (change.type === 'removed') {
        this._notify();
      }
    });
  }

  readonly store = new ConsentStore();

  /** Listen to the Jupyter server, where our part of it is installed: no kernel needs to run. */
  followServer(): void {
    const line = new ServerLine<ConsentFromPage, ConsentToPage>(SOCKET, {
      opening: () => ({ kind: 'consent_sync' }),
      heard: message => this._heard(SERVER, message),
      lost: () => this.store.dispatch({ kind: 'lost', line: SERVER })
    });
    this._lines.set(SERVER, line);
    void line.open();
  }

  /** Listen to the kernel of a notebook, as long as that is open. */
  follow(id: string, context: DocumentRegistry.Context): IDisposable {
    const namesUs = () =>
      (context.model as unknown as NotebookLike).sharedModel?.cells?.some(cell => cell.source.includes('mcpgen'));
    const line = new Line<ConsentFromPage, ConsentToPage>(CONSENT_TARGET, context.sessionContext, {
      // a kernel that does not know us writes an error into its log
      opening: named => (named || namesUs() ? { kind: 'consent_sync' } : null),
      opened: () => undefined,
      heard: message => this._heard(id, message),
      linked: link => {
        if (link === 'none' || link === 'deaf' || link === 'shared') {
          this.store.dispatch({ kind: 'lost', line: id });
        }
      }
    });
    this._lines.set(id, line);
    void Promise.all([context.ready, context.sessionContext.ready]).then(() => line.isDisposed || line.open());
    return new DisposableDelegate(() => {
      line.dispose();
      this._lines.delete(id);
      this.store.dispatch({ kind: 'lost', line: id });
    });
  }

  /** Open a request, or without an id the oldest one. */
  review(requestId: string | null): void {
    const request = this._find(requestId);
    if (request === undefined) {
      const why = requestId === null ? 'No AI client offers a tool.' : 'This request does not wait here any more.';
      Notification.emit(why, 'info', { autoClose: TOLD_MILLISECONDS });
      return this.close();
    }
    const { asked, lines } = request;
    // a kernel may be restarted while a person reads, so the server is asked where both tell of it
    const ways = lines.includes(SERVER) ? [SERVER, ...lines] : lines;
    const line = ways.find(one => this._lines.get(one)?.isOpen) ?? '';
    this.store.dispatch({ kind: 'opened', requestId: asked.request_id, line });
    this._send(line, { kind: 'consent_opened', request_id: asked.request_id });
  }

  /** Send a decision about what is shown; once it is sent, or where it is too old, nothing is sent. */
  decide(decision: ConsentDecision): void {
    const { opened } = this.store.state;
    if (opened === null || opened.shown === null || opened.sent || opened.stale !== null) {
      return;
    }
    this.store.dispatch({ kind: 'sent' });
    this._send(opened.line, {
      kind: 'consent_response',
      request_id: opened.requestId,
      token: opened.shown.request.token,
      decision,
      confirmed: decision === 'decline' ? [] : opened.confirmed,
      notes: decision === 'decline' ? opened.notes.trim() || null : null
    });
  }

  close(): void {
    this.store.dispatch({ kind: 'closed' });
  }

  private _find(requestId: string | null): Request | undefined {
    const { requests } = this.store.state;
    if (requestId !== null) {
      return requests.get(requestId);
    }
    const all = [...requests.values()];
    return all.sort((one, other) => one.asked.created_at.localeCompare(other.asked.created_at))[0];
  }

  private _send(line: string, message: ConsentFromPage): void {
    const open = this._lines.get(line);
    if (open?.isOpen) {
      open.send(message);
    } else {
      this.store.dispatch({ kind: 'lost', line });
      Notification.emit('The kernel or server that told of this request is gone.', 'error', {
        autoClose: TOLD_MILLISECONDS
      });
    }
  }

  private _heard(line: string, message: ConsentToPage): void {
    switch (message.kind) {
      case 'consents_waiting':
        return this.store.dispatch({ kind: 'waiting', line, requests: message.requests });
      case 'consent_request':
        return this.store.dispatch({ kind: 'asked', line, asked: message });
      case 'consent_shown':
        return this._isAsked(line, message.request.request_id) ? this._show(message) : undefined;
      case 'consent_over':
        return this._end(line, message);
      case 'consent_refused':
        if (this.store.state.opened?.requestId === message.request_id && !this._isAsked(line, message.request_id)) {
          return; // of a request that was opened over another line
        }
        if (this.store.state.opened?.requestId !== message.request_id) {
          // a notice shows text as it is, so the marks of code would only disturb
          Notification.emit(message.message.replaceAll('`', ''), 'error', { autoClose: TOLD_MILLISECONDS });
        }
        return this.store.dispatch({ kind: 'refused', message });
    }
  }

  /** Whether a request was opened over a line: what another one says of it is not shown in its place. */
  private _isAsked(line: string, requestId: string): boolean {
    const { opened } = this.store.state;
    return opened?.requestId === requestId && opened.line === line;
  }

  private _show(message: ConsentShown): void {
    this.store.dispatch({ kind: 'shown', message });
    const { token } = message.request;
    setTimeout(() => this.store.dispatch({ kind: 'aged', token }), message.seconds * 1000);
  }

  /** Say what became of a request, once, though several may tell it: whoever carried out a decision tells it best. */
  private _end(line: string, message: ConsentOver): void {
    const { requests, opened } = this.store.state;
    const isDecidedHere = opened?.requestId === message.request_id && opened.sent && opened.line !== line;
    if (isDecidedHere || !requests.has(message.request_id)) {
      return;
    }
    this.store.dispatch({ kind: 'over', message });
    const undo = {
      label: 'Undo',
      callback: () => this._send(line, { kind: 'consent_undo', request_id: message.request_id })
    };
    Notification.emit(message.sentence, message.outcome === 'allowed' ? 'success' : 'info', {
      autoClose: TOLD_MILLISECONDS,
      actions: message.can_undo ? [undo] : []
    });
  }

  /** Say by a notice what waits, or leave that to other places. */
  setNotices(wanted: boolean): void {
    this._notifies = wanted;
    this._notify();
  }

  /** One notice for each request that waits; it never takes the focus, because a person may be typing. */
  private _notify(): void {
    const { requests } = this.store.state;
    for (const [requestId, notice] of [...this._notices]) {
      if (!requests.has(requestId) || !this._notifies) {
        this._notices.delete(requestId);
        Notification.dismiss(notice);
      }
    }
    for (const { asked } of this._notifies ? requests.values() : []) {
      const standing = [...this._notices.values()].filter(notice => Notification.manager.has(notice));
      if (standing.length < MOST_NOTICES && !this._notices.has(asked.request_id)) {
        this._notices.set(asked.request_id, this._notice(asked));
      }
    }
  }

  private _notice({ request_id: requestId, client, tool_name: tool, version }: ConsentAsked): string {
    return Notification.emit(`The AI client “${client}” offers a tool: ${tool} v${version}`, 'warning', {
      autoClose: false,
      actions: [
        {
          label: 'Review',
          displayType: 'accent',
          callback: event => {
            event.preventDefault(); // it stays until the request is decided
            this.review(requestId);
          }
        }
      ]
    });
  }

  private readonly _lines = new Map<string, Way>();
  private readonly _notices = new Map<string, string>();
  private _notifies = true;
}
