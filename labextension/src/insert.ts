// Puts code into a new cell below the one that shows an output; nothing is run, and undo takes it back.

import type { Widget } from '@lumino/widgets';

/** The parts of a notebook that we need; naming its types would pull in the whole notebook package. */
interface Cells {
  readonly cells: ReadonlyArray<{ readonly id: string }>;
  insertCell(index: number, cell: { cell_type: 'code'; source: string; metadata: object }): unknown;
}

interface Modelled {
  readonly model?: { readonly sharedModel?: unknown; readonly id?: string };
  readonly content?: { readonly model?: { readonly sharedModel?: unknown } };
}

/** Returns what inserts below the cell around an output, or null where there is no notebook that can be changed. */
export function inserting(output: Widget): ((source: string) => void) | null {
  let cellId: string | undefined;
  for (let widget: Widget | null = output.parent; widget !== null; widget = widget.parent) {
    const { model, content } = widget as unknown as Modelled;
    if (cellId === undefined && widget.hasClass('jp-Cell')) {
      cellId = model?.id;
    }
    const notebook = content?.model?.sharedModel as Cells | undefined;
    if (cellId !== undefined && notebook?.insertCell !== undefined) {
      return source => {
        const index = notebook.cells.findIndex(cell => cell.id === cellId);
        notebook.insertCell(index + 1, { cell_type: 'code', source, metadata: {} });
      };
    }
  }
  return null;
}
