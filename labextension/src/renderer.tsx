// The MIME renderer: a Lumino widget around one React root.

import type { IRenderMimeRegistry } from '@jupyterlab/rendermime';
import type { IRenderMime } from '@jupyterlab/rendermime-interfaces';
import type { CommandRegistry } from '@lumino/commands';
import type { ReadonlyPartialJSONValue } from '@lumino/coreutils';
import { Widget } from '@lumino/widgets';
import * as React from 'react';
import { createRoot, Root } from 'react-dom/client';

import { inserting } from './insert';
import { Asking, Card, CARD_MIME, OVERVIEW_MIME, QUESTION_MIME, QuestionBack } from './messages';
import type { CardSession } from './session';
import { isAsking, sameCard } from './store';
import { CardView, Surroundings } from './views/card';
import { OverviewRenderer } from './overview';
import { Intact } from './views/intact';
import { QuestionView } from './views/question';

/** What is the same for all cards of a notebook. */
type Shared = Omit<Surroundings, 'insert'>;

export function cardFactory(
  rendermime: IRenderMimeRegistry,
  commands: CommandRegistry,
  session: CardSession | null
): IRenderMime.IRendererFactory {
  return {
    safe: true,
    mimeTypes: [CARD_MIME, QUESTION_MIME, OVERVIEW_MIME],
    createRenderer: ({ mimeType }) =>
      mimeType === OVERVIEW_MIME
        ? new OverviewRenderer({ rendermime, commands, session })
        : new CardRenderer({ rendermime, commands, session })
  };
}

class CardRenderer extends Widget implements IRenderMime.IRenderer {
  constructor(private readonly _shared: Shared) {
    super();
    this.addClass('jp-mcpgen-Output');
    // a button in an output must get its Enter and Space; the notebook would take them as commands
    this.node.dataset.lmSuppressShortcuts = 'true';
    this._shared.session?.store.changed.connect(this._keep, this);
  }

  async renderModel(model: IRenderMime.IMimeModel): Promise<void> {
    const card = model.data[CARD_MIME] as unknown as Card | Asking | undefined;
    const question = model.data[QUESTION_MIME] as unknown as QuestionBack;
    this._model = model;
    this._askingId = card !== undefined && isAsking(card) ? card.asking_id : '';
    if (card !== undefined && isAsking(card)) {
      this._cardId = '';
      this._shared.session?.follow(card);
    } else {
      this._cardId = card?.card_id ?? question.question_id;
      // no page decides about a draft; the card that comes of it is shown in the same place
      if (card?.status !== 'DRAFT') {
        this._shared.session?.show(this._cardId);
      }
    }
    this._root ??= createRoot(this.node);
    const insert = (source: string) => inserting(this)?.(source);
    const surroundings: Surroundings = { ...this._shared, insert: this._shared.session && insert };
    this._root.render(
      <Intact content={card ?? question}>
        {card === undefined ? (
          <QuestionView key="question" saved={question} {...surroundings} />
        ) : (
          <CardView key="card" saved={card} {...surroundings} />
        )}
      </Intact>
    );
    this._keep();
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

  /** Write what the registry said into the notebook, so that the saved file tells the decision. */
  private _keep(): void {
    this._follow();
    const painted = this._shared.session?.store.state.entries.get(this._cardId)?.painted;
    const model = this._model;
    if (!model || !painted) {
      return;
    }
    const saved = model.data[CARD_MIME] as unknown as Card | undefined;
    if (saved !== undefined && sameCard(saved, painted.card)) {
      return;
    }
    const card = painted.card as unknown as ReadonlyPartialJSONValue;
    const others = Object.entries(model.data).filter(([type]) => type !== QUESTION_MIME);
    model.setData({
      data: {
        ...Object.fromEntries(others),
        [CARD_MIME]: card,
        'text/html': painted.html,
        'text/markdown': painted.markdown
      }
    });
  }

  /** A page that was loaded anew gets no output of a cell that ran on; the kernel tells it which card it was. */
  private _follow(): void {
    const { session } = this._shared;
    const told = session?.store.state.questions.get(this._askingId)?.asking;
    if (told?.state === 'over' && told.card_id && this._cardId !== told.card_id) {
      this._cardId = told.card_id;
      session?.show(told.card_id);
    }
  }

  private _askingId = '';
  private _model: IRenderMime.IMimeModel | null = null;
  private _cardId = '';
  private _root: Root | null = null;
}
