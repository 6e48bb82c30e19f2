// How the product stands on this machine, as the Jupyter server's part tells it; without that part nothing is known.

import { ServerConnection } from '@jupyterlab/services';
import type { IDisposable } from '@lumino/disposable';
import { ISignal, Signal } from '@lumino/signaling';

import type { Standing } from './messages';

const PATH = 'mcpgen/standing';
const SOON = 1000;
const EVERY = 60_000;

/** Asks again a moment after something happened here, when a person comes back to the page, and every minute. */
export class StandingWatch implements IDisposable {
  constructor(private readonly _settings = ServerConnection.makeSettings()) {
    window.addEventListener('focus', this._soon);
  }

  /** What was told last; null where there is nobody to ask. */
  get standing(): Standing | null {
    return this._standing;
  }

  get changed(): ISignal<this, void> {
    return this._changed;
  }

  get isDisposed(): boolean {
    return this._isDisposed;
  }

  /** Ask a moment from now, once for all that happens until then. */
  soon(): void {
    this._later(SOON);
  }

  dispose(): void {
    this._isDisposed = true;
    clearTimeout(this._timer);
    window.removeEventListener('focus', this._soon);
    Signal.clearData(this);
  }

  private _later(milliseconds: number): void {
    clearTimeout(this._timer);
    if (!this._isDisposed) {
      this._timer = setTimeout(() => void this._ask(), milliseconds);
    }
  }

  private async _ask(): Promise<void> {
    if (!document.hidden) {
      const answer = await ServerConnection.makeRequest(`${this._settings.baseUrl}${PATH}`, {}, this._settings).catch(
        () => null
      );
      this._standing = answer?.ok ? ((await answer.json()) as Standing) : null;
      if (!this._isDisposed) {
        this._changed.emit();
      }
      if (answer !== null && answer.status === 404) {
        return; // a server without our part gets none while it runs
      }
    }
    this._later(EVERY);
  }

  private readonly _soon = () => this.soon();
  private readonly _changed = new Signal<this, void>(this);
  private _standing: Standing | null = null;
  private _timer: ReturnType<typeof setTimeout> | undefined = undefined;
  private _isDisposed = false;
}
