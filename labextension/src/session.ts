// One notebook and its kernel: keeps the channel open through restarts, reloads and lost connections.

import type { ISessionContext } from '@jupyterlab/apputils';
import type { Kernel, KernelMessage } from '@jupyterlab/services';
import type { IDisposable } from '@lumino/disposable';
import { Signal } from '@lumino/signaling';

import { Channel } from './channel';
import type { FromPage, ToPage } from './messages';
import { Store } from './store';

export class CardSession implements IDisposable {
  constructor(
    readonly id: string,
    private readonly _context: ISessionContext
  ) {
    _context.kernelChanged.connect(this._reopen, this);
    _context.statusChanged.connect(this._onStatus, this);
    _context.connectionStatusChanged.connect(this._onConnection, this);
    _context.iopubMessage.connect(this._onIopub, this);
    window.addEventListener('pagehide', this._leave);
  }

  readonly store = new Store();

  get isDisposed(): boolean {
    return this._isDisposed;
  }

  dispose(): void {
    if (this._isDisposed) {
      return;
    }
    this._isDisposed = true;
    window.removeEventListener('pagehide', this._leave);
    Signal.clearData(this);
    this._leave();
  }

  /** A card appeared on the page. Only the first card makes us talk to the kernel at all. */
  show(cardId: string): void {
    if (this.store.state.entries.has(cardId)) {
      return;
    }
    this.store.dispatch({ kind: 'shown', cardId });
    if (this._channel) {
      this._channel.send({ kind: 'sync', card_ids: [cardId] });
    } else if (this.store.state.link !== 'opening') {
      void this._open();
    }
  }

  /** Hand a person's answer to the kernel. */
  send(message: Exclude<FromPage, { kind: 'sync' }>): void {
    if (this._channel === null) {
      throw new Error('There is no way to the kernel: start it and run %load_ext jupyter_mcpgen.');
    }
    this.store.dispatch({ kind: 'sent', cardId: message.card_id, what: message.kind });
    this._picked = message.kind === 'pick' ? message.card_id : null;
    this._channel.send(message);
  }

  /** Whether a card took the place of what was picked from here, whose button is gone with its focus; told once. */
  takesFocus(cardId: string): boolean {
    const takes = this._taking === cardId;
    this._taking = takes ? null : this._taking;
    return takes;
  }

  private async _open(): Promise<void> {
    const kernel = this._context.session?.kernel ?? null;
    const attempt = ++this._attempt;
    this._channel = null;
    if (kernel === null || GONE.includes(kernel.status)) {
      this.store.dispatch({ kind: 'linked', link: 'none' });
      return;
    }
    this.store.dispatch({ kind: 'linked', link: 'opening' });
    const mine = () => attempt === this._attempt && !this._isDisposed;
    const asked = this._cardIds();
    const channel = await Channel.open(
      kernel,
      { kind: 'sync', card_ids: asked },
      {
        heard: message => mine() && this._heard(message),
        closed: () => mine() && this._closed()
      }
    ).catch((reason: unknown) => {
      console.warn('The mcpgen channel did not open.', reason);
      return null;
    });
    if (!mine()) {
      channel?.close();
      return;
    }
    this._channel = channel;
    const late = this._cardIds().filter(id => !asked.includes(id));
    if (channel === null) {
      this._closed();
    } else if (late.length > 0) {
      channel.send({ kind: 'sync', card_ids: late });
    }
  }

  private _heard(message: ToPage): void {
    this.store.dispatch({ kind: 'linked', link: 'open' });
    if (message.kind === 'painted' && message.replaces !== null && message.replaces === this._picked) {
      this._taking = message.card.card_id;
    }
    this.store.dispatch({ kind: 'arrived', message });
  }

  private _closed(): void {
    this._attempt++;
    this._channel = null;
    this.store.dispatch({ kind: 'linked', link: 'deaf' });
  }

  private _cardIds(): string[] {
    return [...this.store.state.entries.keys()];
  }

  private _reopen(): void {
    if (this.store.state.entries.size > 0) {
      void this._open();
    }
  }

  // the status says here whether there is a kernel, never whether it is free: comm traffic flips busy and idle
  private _onStatus(_: ISessionContext, status: Kernel.Status): void {
    if (GONE.includes(status)) {
      this._attempt++;
      this._channel = null;
      this.store.dispatch({ kind: 'linked', link: 'none' });
    } else if (RESTARTING.includes(status)) {
      this._attempt++;
      this._channel = null;
      this._restarted = true;
      this.store.dispatch({ kind: 'linked', link: 'none' });
    } else if (status === 'idle' && this._restarted) {
      this._restarted = false;
      this._reopen();
    }
  }

  private _onConnection(_: ISessionContext, status: Kernel.ConnectionStatus): void {
    if (status === 'connected' && this._channel !== null && this._cardIds().length > 0) {
      this._channel.send({ kind: 'sync', card_ids: this._cardIds() });
    }
  }

  /** After a cell that names us has run, a kernel that did not know us may know us now. */
  private _onIopub(_: ISessionContext, message: KernelMessage.IMessage): void {
    if (this.store.state.link !== 'deaf') {
      return;
    }
    const parent = (message.parent_header as Partial<KernelMessage.IHeader>).msg_id ?? null;
    if (message.header.msg_type === 'execute_input') {
      const { code } = message.content as KernelMessage.IExecuteInputMsg['content'];
      this._hopeful = code.includes('mcpgen') ? parent : null;
    } else if (message.header.msg_type === 'status' && parent !== null && parent === this._hopeful) {
      const { execution_state: state } = message.content as KernelMessage.IStatusMsg['content'];
      if (state === 'idle') {
        this._hopeful = null;
        this._reopen();
      }
    }
  }

  private readonly _leave = (): void => {
    this._attempt++;
    this._channel?.close();
    this._channel = null;
  };

  private _channel: Channel | null = null;
  private _attempt = 0;
  private _picked: string | null = null;
  private _taking: string | null = null;
  private _hopeful: string | null = null;
  private _restarted = false;
  private _isDisposed = false;
}

const GONE: ReadonlyArray<Kernel.Status> = ['dead', 'terminating'];
const RESTARTING: ReadonlyArray<Kernel.Status> = ['restarting', 'autorestarting'];
