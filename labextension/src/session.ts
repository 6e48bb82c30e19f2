// The cards of one notebook, and what is said about them to its kernel.

import type { ISessionContext } from '@jupyterlab/apputils';
import type { IDisposable } from '@lumino/disposable';

import { Line, Link } from './line';
import { FromPage, TARGET, ToPage } from './messages';
import { Store } from './store';

type Sync = Extract<FromPage, { kind: 'sync' }>;

/** What puts another card in the place of the one that it is said of. */
const REPLACING: ReadonlyArray<FromPage['kind']> = ['pick', 'adjust', 'ask_again'];

export class CardSession implements IDisposable {
  constructor(
    readonly id: string,
    context: ISessionContext
  ) {
    this._line = new Line<FromPage, ToPage>(TARGET, context, {
      opening: () => {
        const cardIds = this._cardIds();
        return cardIds.length > 0 ? { kind: 'sync', card_ids: cardIds } : null;
      },
      opened: first => this._sync(this._cardIds().filter(id => !(first as Sync).card_ids.includes(id))),
      heard: message => this._heard(message),
      linked: link => this._linked(link)
    });
  }

  readonly store = new Store();

  get isDisposed(): boolean {
    return this._line.isDisposed;
  }

  dispose(): void {
    this._line.dispose();
  }

  /** A card appeared on the page. Only the first card makes us talk to the kernel at all. */
  show(cardId: string): void {
    if (this.store.state.entries.has(cardId)) {
      return;
    }
    this.store.dispatch({ kind: 'shown', cardId });
    if (this._line.isOpen) {
      this._sync([cardId]);
    } else {
      this._line.open();
    }
  }

  /** Hand a person's answer to the kernel. */
  send(message: Exclude<FromPage, Sync>): void {
    this._line.send(message);
    this.store.dispatch({ kind: 'sent', cardId: message.card_id, what: message.kind });
    this._picked = REPLACING.includes(message.kind) ? message.card_id : null;
  }

  /** Whether a card took the place of what was picked from here, whose button is gone with its focus; told once. */
  takesFocus(cardId: string): boolean {
    const takes = this._taking === cardId;
    this._taking = takes ? null : this._taking;
    return takes;
  }

  private _heard(message: ToPage): void {
    if (message.kind === 'painted' && message.replaces !== null && message.replaces === this._picked) {
      this._taking = message.card.card_id;
    }
    this.store.dispatch({ kind: 'arrived', message });
  }

  private _linked(link: Link): void {
    this.store.dispatch({ kind: 'linked', link });
  }

  private _sync(cardIds: ReadonlyArray<string>): void {
    if (cardIds.length > 0) {
      this._line.send({ kind: 'sync', card_ids: cardIds });
    }
  }

  private _cardIds(): string[] {
    return [...this.store.state.entries.keys()];
  }

  private readonly _line: Line<FromPage, ToPage>;
  private _picked: string | null = null;
  private _taking: string | null = null;
}
