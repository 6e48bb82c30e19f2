// The sign of the product.

import { LabIcon } from '@jupyterlab/ui-components';

export const productIcon = new LabIcon({
  name: 'mcpgen:product',
  svgstr: `<svg xmlns="http://www.w3.org/2000/svg" width="16" viewBox="0 0 24 24">
  <g class="jp-icon3" fill="#616161">
    <path d="M5 3h14a2 2 0 0 1 2 2v14a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2V5a2 2 0 0 1 2-2zm0 2v14h14V5z"/>
    <path d="M7 7.5h10v1.8H7zm3.4 9.7-3.2-3.2 1.3-1.3 1.9 1.9 4.6-4.6 1.3 1.3z"/>
  </g>
</svg>`
});
