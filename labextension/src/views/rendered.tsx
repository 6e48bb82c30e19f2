// A piece that one of JupyterLab's own renderers draws.

import type { IRenderMimeRegistry } from '@jupyterlab/rendermime';
import type { ReadonlyPartialJSONObject } from '@lumino/coreutils';
import { MessageLoop } from '@lumino/messaging';
import { Widget } from '@lumino/widgets';
import * as React from 'react';

interface Props {
  readonly rendermime: IRenderMimeRegistry;
  readonly mimeType: string;
  readonly data: string | ReadonlyPartialJSONObject;
  readonly options?: ReadonlyPartialJSONObject;
  readonly className: string;
  readonly label?: string;
}

export function Rendered({ rendermime, mimeType, data, options, className, label }: Props): JSX.Element {
  const place = React.useRef<HTMLDivElement>(null);
  // the same content is drawn once, however often the card around it is painted
  const content = JSON.stringify([data, options ?? {}]);
  React.useLayoutEffect(() => {
    const node = place.current;
    if (node === null) {
      return;
    }
    const [drawn, embed] = JSON.parse(content) as [Props['data'], ReadonlyPartialJSONObject];
    const renderer = rendermime.createRenderer(mimeType);
    const model = rendermime.createModel({
      data: { [mimeType]: drawn },
      metadata: { [mimeType]: embed },
      trusted: false
    });
    Widget.attach(renderer, node);
    renderer.renderModel(model).catch((reason: unknown) => {
      if (!renderer.isDisposed) {
        node.textContent = `This part cannot be drawn: ${String(reason)}`;
      }
    });
    return () => dispose(renderer);
  }, [rendermime, mimeType, content]);
  return (
    <div className={className} ref={place} {...(label === undefined ? {} : { role: 'img', 'aria-label': label })} />
  );
}

/** Lumino refuses to detach what is no longer in the page, and React may have taken the place away already. */
function dispose(renderer: Widget): void {
  if (renderer.isAttached && !renderer.node.isConnected) {
    MessageLoop.sendMessage(renderer, Widget.Msg.AfterDetach);
  }
  renderer.dispose();
}
