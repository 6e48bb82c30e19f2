// The cards of one notebook, and what is said about them to its kernel.

import type { ISessionContext } from '@jupyterlab/apputils';
import type { IDisposable } from '@lumino/disposable';

import { deliver } from './deliver';
import { Line, Link } from './line';
import { Asking, FromPage, TARGET, ToPage } from './messages';
import { Going, isGoing, Store } from './store';

type Sync = Extract<FromPage, { kind: 'sync' }>;
type OfCard = Exclude<FromPage, { kind: 'sync' | 'stop' | 'watch' }>;

/** What puts another card in the place of the one that it is said of. */
const REPLACING: ReadonlyArray<FromPage['kind']> = ['pick', 'adjust', 'ask_again', 'read_so'];

export class CardSession implements IDisposable {
  constructor(
    readonly id: string,
    private readonly _context: ISessionContext
  ) {
    this._line = new Line<FromPage, ToPage>(TARGET, _context, {
      opening: () => {
        const cardIds = this._cardIds();
        return cardIds.length > 0 || this._shown().length > 0 ? { kind: 'sync', card_ids: cardIds } : null;
      },
      opened: first => {
        this._sync(this._cardIds().filter(id => !(first as Sync).card_ids.includes(id)));
        this._watch(this._shown());
      },
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

  /** The questions of this notebook that are on their way. */
  get going(): Going[] {
    return [...this.store.state.questions.values()].filter(isGoing);
  }

  /** A question on its way appeared on the page, or went on. */
  follow(asking: Asking): void {
    const isNew = !this.store.state.questions.has(asking.asking_id);
    this.store.dispatch({ kind: 'asked', asking });
    if (!isNew || asking.state !== 'going') {
      return;
    }
    if (this._line.isOpen) {
      this._watch([asking.asking_id]);
    } else {
      this._line.open();
    }
  }

  /** End a question, also while its cell runs; without a way to say so the kernel is interrupted. */
  stop(askingId: string): void {
    this.store.dispatch({ kind: 'stopping', askingId });
    if (this._line.isOpen) {
      this._line.send({ kind: 'stop', asking_id: askingId });
    } else {
      this.interrupt();
    }
  }

  /** Do what the notebook's own button for it does. */
  interrupt(): void {
    void this._context.session?.kernel?.interrupt();
  }

  /** Hand a person's answer to the kernel. */
  send(message: OfCard): void {
    this._line.send(message);
    this.store.dispatch({ kind: 'sent', cardId: message.card_id, message });
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
    if (message.kind === 'fetched') {
      void deliver(message).then(told => this.store.dispatch({ kind: 'arrived', message: told }));
      return;
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

  private _watch(askingIds: ReadonlyArray<string>): void {
    askingIds.forEach(askingId => this._line.send({ kind: 'watch', asking_id: askingId }));
  }

  /** The questions that may be on their way, for all that the notebook says. */
  private _shown(): string[] {
    const questions = [...this.store.state.questions.values()];
    return questions.filter(one => one.asking.state === 'going').map(one => one.asking.asking_id);
  }

  private _cardIds(): string[] {
    return [...this.store.state.entries.keys()];
  }

  private readonly _line: Line<FromPage, ToPage>;
  private _picked: string | null = null;
  private _taking: string | null = null;
}
