// A chart as a file: the drawing on the page with the colors it has there.

type Save = (name: string, content: Blob) => void;

const SVG = 'http://www.w3.org/2000/svg';
/** How much finer a picture is than the page. */
const SCALE = 2;
const INHERITED = ['fill', 'stroke', 'font-family', 'font-size'];

export function svgOf(drawn: SVGSVGElement | null, name: string, save: Save): void {
  if (drawn !== null) {
    save(`${name}.svg`, new Blob([textOf(drawn)], { type: 'image/svg+xml' }));
  }
}

export function pngOf(drawn: SVGSVGElement | null, name: string, save: Save): void {
  if (drawn === null) {
    return;
  }
  const { width, height } = drawn.getBoundingClientRect();
  const image = new Image();
  image.onload = () => {
    const canvas = document.createElement('canvas');
    canvas.width = width * SCALE;
    canvas.height = height * SCALE;
    canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
    canvas.toBlob(content => content !== null && save(`${name}.png`, content), 'image/png');
  };
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(textOf(drawn))}`;
}

/** A style sheet of the page does not go with the file, so what it says is written into the drawing. */
function textOf(drawn: SVGSVGElement): string {
  const copy = drawn.cloneNode(true) as SVGSVGElement;
  const from = drawn.querySelectorAll<SVGElement>('text, line');
  copy.querySelectorAll<SVGElement>('text, line').forEach((element, index) => {
    const original = from[index];
    const style = original && getComputedStyle(original);
    INHERITED.forEach(property => style && element.style.setProperty(property, style.getPropertyValue(property)));
  });
  const { width, height } = drawn.getBoundingClientRect();
  copy.setAttribute('xmlns', SVG);
  copy.setAttribute('width', String(width));
  copy.setAttribute('height', String(height));
  const ground = document.createElementNS(SVG, 'rect');
  ground.setAttribute('width', '100%');
  ground.setAttribute('height', '100%');
  ground.setAttribute('fill', getComputedStyle(document.body).getPropertyValue('--jp-layout-color1').trim() || 'white');
  copy.insertBefore(ground, copy.firstChild);
  return new XMLSerializer().serializeToString(copy);
}
