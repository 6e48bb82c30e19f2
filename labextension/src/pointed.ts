// The name in a code cell that the mouse points at when its menu opens.

import { nameAt } from './notebooks';

const CODE = '.jp-CodeCell .cm-line';

/** Remembers what was pointed at last; a menu is built before its commands are told where. */
export class Pointed {
  constructor() {
    document.addEventListener('contextmenu', event => (this._name = nameUnder(event)), { capture: true });
  }

  get name(): string | null {
    return this._name;
  }

  private _name: string | null = null;
}

function nameUnder({ target, clientX, clientY }: MouseEvent): string | null {
  const line = target instanceof Element ? target.closest(CODE) : null;
  if (line === null) {
    return null;
  }
  const place = placeAt(clientX, clientY);
  if (place === null || !line.contains(place.node)) {
    return null;
  }
  const before = document.createRange();
  before.setStart(line, 0);
  before.setEnd(place.node, place.offset);
  return nameAt(line.textContent ?? '', before.toString().length);
}

function placeAt(x: number, y: number): { node: Node; offset: number } | null {
  const { caretPositionFromPoint } = document as Document & {
    caretPositionFromPoint?: (x: number, y: number) => { offsetNode: Node; offset: number } | null;
  };
  if (caretPositionFromPoint !== undefined) {
    const found = caretPositionFromPoint.call(document, x, y);
    return found && { node: found.offsetNode, offset: found.offset };
  }
  const range = document.caretRangeFromPoint(x, y);
  return range && { node: range.startContainer, offset: range.startOffset };
}
