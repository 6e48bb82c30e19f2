// The renderer of a first look at a table. The answers to its questions are kept in the notebook beside it.

import type { IRenderMime } from '@jupyterlab/rendermime-interfaces';
import { JSONExt, ReadonlyPartialJSONObject, ReadonlyPartialJSONValue } from '@lumino/coreutils';
import { Widget } from '@lumino/widgets';
import * as React from 'react';
import { createRoot, Root } from 'react-dom/client';

import { inserting } from './insert';
import { Overview, OVERVIEW_MIME } from './messages';
import { withAnswers } from './suggestions';
import type { Surroundings } from './views/card';
import { Intact } from './views/intact';
import { OverviewView } from './views/overview';

export class OverviewRenderer extends Widget implements IRenderMime.IRenderer {
  constructor(private readonly _shared: Omit<Surroundings, 'insert'>) {
    super();
    this.addClass('jp-mcpgen-Output');
    // a button in an output must get its Enter and Space; the notebook would take them as commands
    this.node.dataset.lmSuppressShortcuts = 'true';
    this._shared.session?.store.changed.connect(this._keep, this);
  }

  async renderModel(model: IRenderMime.IMimeModel): Promise<void> {
    const overview = model.data[OVERVIEW_MIME] as unknown as Overview;
    this._model = model;
    for (const { question_id: questionId, card } of overview.suggestions) {
      this._shared.session?.show(questionId);
      if (card !== null) {
        this._shared.session?.show(card.card_id);
      }
    }
    this._root ??= createRoot(this.node);
    const insert = (source: string) => inserting(this)?.(source);
    const surroundings = { ...this._shared, insert: this._shared.session && insert };
    this._root.render(
      <Intact content={overview}>
        <OverviewView saved={overview} {...surroundings} />
      </Intact>
    );
  }

  dispose(): void {
    if (this.isDisposed) {
      return;
    }
    this._shared.session?.store.changed.disconnect(this._keep, this);
    const root = this._root;
    // React must not be unmounted while it renders
    queueMicrotask(() => root?.unmount());
    super.dispose();
  }

  /** Write the answers into the notebook, so that the saved file has them. */
  private _keep(): void {
    const { session } = this._shared;
    const model = this._model;
    if (!session || !model) {
      return;
    }
    const saved = model.data[OVERVIEW_MIME] as unknown as Overview;
    const now = withAnswers(saved, session.store.state);
    if (!JSONExt.deepEqual(asJSON(saved), asJSON(now))) {
      model.setData({ data: { ...model.data, [OVERVIEW_MIME]: asJSON(now) as ReadonlyPartialJSONObject } });
    }
  }

  private _model: IRenderMime.IMimeModel | null = null;
  private _root: Root | null = null;
}

function asJSON(overview: Overview): ReadonlyPartialJSONValue {
  return overview as unknown as ReadonlyPartialJSONValue;
}
