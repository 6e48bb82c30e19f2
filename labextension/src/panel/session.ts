// The side panel's talk with the Jupyter server: it asks for what is on view, again whenever something changed.

import type { PanelFromPage, PanelToPage } from '../messages';
import { ServerLine } from '../server';
import { Panel, PanelStore, Section, SECTIONS, seenOf } from './state';

const SOCKET = 'panel';
const KEPT = 'jupyter-mcpgen:panel';
const TYPING_MILLISECONDS = 200;

/** What is on view may be another after these; the server tells of its own changes as well, only a moment later. */
const CHANGING: ReadonlyArray<PanelToPage['kind']> = ['panel_changed', 'panel_told', 'panel_decided'];

export class PanelSession {
  constructor() {
    this.store = new PanelStore({ section: keptSection() });
  }

  readonly store: PanelStore;

  /** The panel is on view from now on; the server is asked for nothing before that. */
  show(): void {
    this._isShown = true;
    if (this._line === null) {
      this._line = new ServerLine<PanelFromPage, PanelToPage>(SOCKET, {
        opening: () => {
          this.store.dispatch({ kind: 'linked', link: 'open' });
          queueMicrotask(() => this._ask());
          return { kind: 'panel_inbox_wanted' };
        },
        heard: message => this._heard(message),
        lost: () => this.store.dispatch({ kind: 'linked', link: 'lost' }),
        missing: () => this.store.dispatch({ kind: 'linked', link: 'missing' })
      });
      void this._line.open();
    } else {
      this._askAll();
    }
  }

  hide(): void {
    this._isShown = false;
  }

  dispose(): void {
    this._line?.dispose();
  }

  choose(section: Section): void {
    this.store.dispatch({ kind: 'section', section });
    window.localStorage.setItem(KEPT, section);
    this._ask();
  }

  openCard(cardId: string): void {
    this.store.dispatch({ kind: 'card-opened', cardId });
    this.send({ kind: 'panel_card_wanted', card_id: cardId });
  }

  /** Approve or reject the card on view: the content that it shows, and no other. */
  decideOpened(decision: 'approve' | 'reject'): void {
    const { card: opened } = this.store.state;
    if (opened === null || opened.card === null || opened.stale) {
      return;
    }
    const { card_id, fingerprint } = opened.card;
    const confirmed = decision === 'approve' ? opened.confirmed : [];
    const notes = decision === 'reject' ? opened.reason?.trim() || null : null;
    this.send({ kind: 'panel_decide', decision, cards: [{ card_id, fingerprint, confirmed }], notes });
  }

  decidePicked(decision: 'approve' | 'reject'): void {
    const { state } = this.store;
    const notes = decision === 'reject' ? state.reason?.trim() || null : null;
    this.send({ kind: 'panel_decide', decision, cards: seenOf(state), notes });
  }

  search(query: string): void {
    this.store.dispatch({ kind: 'queried', query });
    clearTimeout(this._typing);
    this._typing = setTimeout(() => this.send({ kind: 'panel_library_wanted', query }), TYPING_MILLISECONDS);
  }

  openTool(name: string): void {
    this.store.dispatch({ kind: 'tool-opened', name });
    this.send({ kind: 'panel_tool_wanted', name });
  }

  /** Send something, unless what was done before is not answered yet. */
  send(message: PanelFromPage): void {
    if (this.store.state.link !== 'open' || this._line?.isOpen !== true) {
      return;
    }
    this.store.dispatch({ kind: 'sent', what: message.kind });
    this._line.send(message);
  }

  private _heard(message: PanelToPage): void {
    this.store.dispatch({ kind: 'heard', message });
    if (CHANGING.includes(message.kind) && this._isShown) {
      this._askAll();
    }
  }

  private _askAll(): void {
    this.send({ kind: 'panel_inbox_wanted' }); // its number stands on the tab, whatever is on view
    this._ask();
  }

  private _ask(): void {
    asked(this.store.state).forEach(message => this.send(message));
  }

  private _line: ServerLine<PanelFromPage, PanelToPage> | null = null;
  private _isShown = false;
  private _typing: ReturnType<typeof setTimeout> | undefined = undefined;
}

/** What is on view beside the inbox. */
function asked({ section, card, tool, query }: Panel): PanelFromPage[] {
  switch (section) {
    case 'inbox':
      return card === null ? [] : [{ kind: 'panel_card_wanted', card_id: card.cardId }];
    case 'library':
      return [
        ...(tool === null ? [] : [{ kind: 'panel_tool_wanted', name: tool.name } as const]),
        { kind: 'panel_library_wanted', query },
        { kind: 'panel_clients_wanted' }
      ];
    case 'health':
      return [{ kind: 'panel_health_wanted' }];
    case 'activity':
      return [{ kind: 'panel_activity_wanted' }];
  }
}

function keptSection(): Section {
  const kept = window.localStorage.getItem(KEPT);
  return SECTIONS.find(section => section === kept) ?? 'inbox';
}
