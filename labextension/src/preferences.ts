// What a person set on JupyterLab's settings page about the page itself; the kernel reads the other sections there.

import type { ISettingRegistry } from '@jupyterlab/settingregistry';
import { ISignal, Signal } from '@lumino/signaling';

/** The part `page` of `schema/card.json`. */
export interface Preferences {
  /** How many rows of a table are on view before it scrolls. */
  readonly rows: number;
  /** Whether running times and steps move. */
  readonly motion: boolean;
  /** Whether the keyboard goes to an answer that takes the place of another. */
  readonly moveFocus: boolean;
  /** Whether a notice says that an AI client offers a tool. */
  readonly notices: boolean;
  /** Whether the status bar says what waits. */
  readonly statusBar: boolean;
}

export const USUAL: Preferences = { rows: 14, motion: true, moveFocus: true, notices: true, statusBar: true };
const MOST_ROWS = 200;

/** Read what the settings page holds; what is no setting of ours, or no value for it, is left at its usual value. */
export function preferencesIn(page: unknown): Preferences {
  const given = (typeof page === 'object' && page !== null ? page : {}) as Partial<Record<string, unknown>>;
  const isOn = (name: Exclude<keyof Preferences, 'rows'>) =>
    typeof given[name] === 'boolean' ? given[name] : USUAL[name];
  const { rows } = given;
  return {
    rows: typeof rows === 'number' && rows >= 1 && rows <= MOST_ROWS ? Math.round(rows) : USUAL.rows,
    motion: isOn('motion'),
    moveFocus: isOn('moveFocus'),
    notices: isOn('notices'),
    statusBar: isOn('statusBar')
  };
}

/** Say on an element what styles and views below it look at, as they look at what the system prefers. */
export function mark({ rows, motion, moveFocus }: Preferences, element: HTMLElement): void {
  element.style.setProperty('--jp-mcpgen-rows', String(rows));
  element.dataset.mcpgenMotion = motion ? 'on' : 'off';
  element.dataset.mcpgenFocus = moveFocus ? 'on' : 'off';
}

/** Whether times that run and marks that move are wanted, by the system and by the settings. */
export function wantsMotion(): boolean {
  const calm = window.matchMedia('(prefers-reduced-motion: reduce)').matches;
  return !calm && document.body.dataset.mcpgenMotion !== 'off';
}

/** Whether the focus may go to an answer that takes the place of another. */
export function mayMoveFocus(): boolean {
  return document.body.dataset.mcpgenFocus !== 'off';
}

/** The preferences as they are now. */
export class PreferenceStore {
  get preferences(): Preferences {
    return this._preferences;
  }

  get changed(): ISignal<this, void> {
    return this._changed;
  }

  /** Follow the settings of the plugin. */
  async follow(registry: ISettingRegistry, plugin: string): Promise<void> {
    const settings = await registry.load(plugin);
    const read = () => this._set(preferencesIn(settings.composite.page));
    settings.changed.connect(read);
    read();
  }

  private _set(preferences: Preferences): void {
    this._preferences = preferences;
    this._changed.emit();
  }

  private _preferences = USUAL;
  private readonly _changed = new Signal<this, void>(this);
}
