// One comm target of one notebook's kernel: keeps the channel open through restarts, reloads and lost connections.

import type { ISessionContext } from '@jupyterlab/apputils';
import type { Kernel, KernelMessage } from '@jupyterlab/services';
import type { IDisposable } from '@lumino/disposable';
import { Signal } from '@lumino/signaling';

import { Channel } from './channel';

/**
 * The way to the kernel: no kernel, a channel being opened, an open one, a kernel that does not know us, or one that
 * another notebook of this page speaks to: JupyterLab gives comms to the first connection to a kernel alone.
 */
export type Link = 'none' | 'opening' | 'open' | 'deaf' | 'shared';

/** Who speaks over a line. */
export interface Speaker<FromPage, ToPage> {
  /**
   * What is said first, or null while there is nothing to talk about; said again after a lost connection. `named` tells
   * that a cell ran that names us.
   */
  opening(named: boolean): FromPage | null;
  /** The channel was opened with these words; what came up meanwhile can be said now. */
  opened(first: FromPage): void;
  heard(message: ToPage): void;
  linked(link: Link): void;
}

export class Line<FromPage, ToPage> implements IDisposable {
  constructor(
    private readonly _target: string,
    private readonly _context: ISessionContext,
    private readonly _speaker: Speaker<FromPage, ToPage>
  ) {
    _context.kernelChanged.connect(this._onKernel, this);
    _context.statusChanged.connect(this._onStatus, this);
    _context.connectionStatusChanged.connect(this._onConnection, this);
    _context.iopubMessage.connect(this._onIopub, this);
    // before the connection to the kernel goes, over which the kernel hears of it
    _context.disposed.connect(this._onDisposed, this);
    window.addEventListener('pagehide', this._leave);
  }

  get isDisposed(): boolean {
    return this._isDisposed;
  }

  /** Whether something can be sent. */
  get isOpen(): boolean {
    return this._channel !== null;
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

  send(message: FromPage): void {
    if (this._channel === null) {
      throw new Error('There is no way to the kernel: start it and run %load_ext jupyter_mcpgen.');
    }
    this._channel.send(message);
  }

  /** Open the channel, if there is something to talk about and it is not open yet. */
  open(named = false): void {
    const first = this._speaker.opening(named);
    const kernel = this._context.session?.kernel ?? null;
    const isThere = kernel !== null && kernel === this._kernel && ['opening', 'open'].includes(this._state);
    if (first !== null && !isThere) {
      void this._open(kernel, first);
    }
  }

  private _onDisposed(): void {
    this._channel?.leave();
    this.dispose();
  }

  private async _open(kernel: Kernel.IKernelConnection | null, first: FromPage): Promise<void> {
    const attempt = ++this._attempt;
    this._kernel = kernel;
    this._channel = null;
    if (kernel === null || GONE.includes(kernel.status)) {
      this._link('none');
      return;
    }
    if (!kernel.handleComms) {
      this._link('shared');
      return;
    }
    this._link('opening');
    const mine = () => attempt === this._attempt && !this._isDisposed;
    const channel = await Channel.open<FromPage, ToPage>(kernel, this._target, first, {
      heard: message => {
        if (mine()) {
          this._link('open');
          this._speaker.heard(message);
        }
      },
      closed: () => mine() && this._closed()
    }).catch((reason: unknown) => {
      console.warn(`The channel ${this._target} did not open.`, reason);
      return null;
    });
    if (!mine()) {
      channel?.close();
      return;
    }
    this._channel = channel;
    if (channel === null) {
      this._closed();
    } else {
      this._speaker.opened(first);
    }
  }

  private _closed(): void {
    this._lose('deaf');
  }

  private _lose(link: Link): void {
    this._attempt++;
    this._channel = null;
    this._link(link);
  }

  private _link(link: Link): void {
    this._state = link;
    this._speaker.linked(link);
  }

  private _onKernel(): void {
    this.open();
  }

  // the status says here whether there is a kernel, never whether it is free: comm traffic flips busy and idle
  private _onStatus(_: ISessionContext, status: Kernel.Status): void {
    if (GONE.includes(status)) {
      this._lose('none');
    } else if (RESTARTING.includes(status)) {
      this._restarted = true;
      this._lose('none');
    } else if (status === 'idle' && this._restarted) {
      this._restarted = false;
      this.open();
    }
  }

  private _onConnection(_: ISessionContext, status: Kernel.ConnectionStatus): void {
    const first = status === 'connected' && this._channel !== null ? this._speaker.opening(false) : null;
    if (first !== null) {
      this.send(first);
    }
  }

  /** After a cell that names us has run, a kernel that did not know us may know us now. */
  private _onIopub(_: ISessionContext, message: KernelMessage.IMessage): void {
    const parent = (message.parent_header as Partial<KernelMessage.IHeader>).msg_id ?? null;
    if (message.header.msg_type === 'execute_input') {
      const { code } = message.content as KernelMessage.IExecuteInputMsg['content'];
      this._hopeful = code.includes('mcpgen') ? parent : null;
    } else if (message.header.msg_type === 'status' && parent !== null && parent === this._hopeful) {
      const { execution_state: state } = message.content as KernelMessage.IStatusMsg['content'];
      if (state === 'idle') {
        this._hopeful = null;
        this.open(true);
      }
    }
  }

  private readonly _leave = (): void => {
    this._attempt++;
    this._channel?.close();
    this._channel = null;
  };

  private _state: Link = 'none';
  private _channel: Channel<FromPage> | null = null;
  private _kernel: Kernel.IKernelConnection | null = null;
  private _attempt = 0;
  private _hopeful: string | null = null;
  private _restarted = false;
  private _isDisposed = false;
}

const GONE: ReadonlyArray<Kernel.Status> = ['dead', 'terminating'];
const RESTARTING: ReadonlyArray<Kernel.Status> = ['restarting', 'autorestarting'];
