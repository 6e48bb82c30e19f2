// A state that changes by what happens, and a signal for its views.

import { ISignal, Signal } from '@lumino/signaling';
import * as React from 'react';

export class Stored<State, Happening> {
  constructor(
    start: State,
    private readonly _reduce: (state: State, happening: Happening) => State
  ) {
    this._state = start;
  }

  get state(): State {
    return this._state;
  }

  get changed(): ISignal<this, void> {
    return this._changed;
  }

  dispatch(happening: Happening): void {
    const next = this._reduce(this._state, happening);
    if (next !== this._state) {
      this._state = next;
      this._changed.emit();
    }
  }

  private _state: State;
  private readonly _changed = new Signal<this, void>(this);
}

/** The state of a store as a view sees it; `none` stands for it where there is no store. */
export function useStored<State, Happening>(store: Stored<State, Happening> | undefined, none: State): State {
  const subscribe = React.useCallback(
    (changed: () => void) => {
      store?.changed.connect(changed);
      return () => void store?.changed.disconnect(changed);
    },
    [store]
  );
  return React.useSyncExternalStore(subscribe, () => store?.state ?? none);
}
