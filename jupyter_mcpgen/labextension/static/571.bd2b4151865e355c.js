"use strict";(self.rspackChunkjupyter_mcpgen=self.rspackChunkjupyter_mcpgen||[]).push([[571],{710(e,p,n){var o=n(72),r=n.n(o),a=n(825),t=n.n(a),i=n(659),c=n.n(i),l=n(56),d=n.n(l),g=n(540),s=n.n(g),m=n(113),j=n.n(m),u=n(33),x={};x.styleTagTransform=j(),x.setAttributes=d(),x.insert=c().bind(null,"head"),x.domAPI=t(),x.insertStyleElement=s(),r()(u.A,x),u.A&&u.A.locals&&u.A.locals},207(e,p,n){var o=n(601),r=n.n(o),a=n(314),t=(n.n(a))()(r());t.push([e.id,`/* The card. Colours come from the theme only, so that dark and light need no second sheet. */

.jp-mcpgen-Output {
  container-type: inline-size;
  padding: 4px 2px;
}

.jp-mcpgen-Card {
  box-sizing: border-box;
  max-width: 920px;
  overflow: hidden;
  border: 1px solid var(--jp-border-color2);
  border-radius: 8px;
  background: var(--jp-layout-color1);
  color: var(--jp-ui-font-color1);
  font-family: var(--jp-ui-font-family);
  font-size: var(--jp-ui-font-size1);
  line-height: 1.5;
}

.jp-mcpgen-Card:focus {
  outline: none;
}

.jp-mcpgen-Card:focus-visible {
  border-color: var(--jp-brand-color1);
}

.jp-mcpgen-Card > * {
  padding: 0 16px;
}

.jp-mcpgen-Card h3,
.jp-mcpgen-Card h4,
.jp-mcpgen-Card p,
.jp-mcpgen-Card ul,
.jp-mcpgen-Card dl,
.jp-mcpgen-Card dd {
  margin: 0;
  padding: 0;
}

.jp-mcpgen-Card ul {
  list-style: none;
}

:is(.jp-mcpgen-Card, .jp-mcpgen-Consent, .jp-mcpgen-Panel) code {
  padding: 1px 4px;
  border-radius: 3px;
  background: var(--jp-layout-color2);
  color: inherit;
  font-family: var(--jp-code-font-family);
  font-size: 0.92em;
  overflow-wrap: anywhere;
}

.jp-mcpgen-quiet {
  color: var(--jp-ui-font-color2);
  font-size: var(--jp-ui-font-size0);
}

/* reading */

.jp-mcpgen-Card > .jp-mcpgen-reading {
  padding-top: 12px;
}

.jp-mcpgen-question {
  display: flex;
  justify-content: space-between;
  gap: 12px;
  color: var(--jp-ui-font-color2);
}

.jp-mcpgen-badge {
  flex: none;
  align-self: start;
  padding: 0 9px;
  border: 1px solid var(--jp-border-color2);
  border-radius: 10px;
  color: var(--jp-ui-font-color2);
  font-size: var(--jp-ui-font-size0);
  line-height: 18px;
}

[data-stand='live'] .jp-mcpgen-badge,
[data-stand='reused'] .jp-mcpgen-badge {
  border-color: var(--jp-success-color1);
  color: var(--jp-success-color1);
}

[data-stand='output-asked'][data-sound='false'] .jp-mcpgen-badge,
[data-stand='saving-asked'][data-sound='false'] .jp-mcpgen-badge,
[data-stand='rejected'] .jp-mcpgen-badge {
  border-color: var(--jp-error-color1);
  color: var(--jp-error-color1);
}

.jp-mcpgen-Card .jp-mcpgen-reading h3 {
  margin-top: 1px;
  color: var(--jp-ui-font-color0);
  font-size: 17px;
  font-weight: 600;
  line-height: 1.35;
  overflow-wrap: anywhere;
}

.jp-mcpgen-Card .jp-mcpgen-reading h3::first-letter {
  text-transform: uppercase;
}

.jp-mcpgen-Card .jp-mcpgen-reading h3[data-long='true'] {
  font-size: 14px;
}

.jp-mcpgen-Card .jp-mcpgen-reading h3 + .jp-mcpgen-chip {
  margin-top: 6px;
}

.jp-mcpgen-Card .jp-mcpgen-chips {
  display: flex;
  flex-wrap: wrap;
  align-items: baseline;
  gap: 5px 6px;
  margin-top: 6px;
}

.jp-mcpgen-Card .jp-mcpgen-chip {
  max-width: min(100%, 270px);
  overflow: hidden;
  text-overflow: ellipsis;
  white-space: nowrap;
  padding: 0 9px;
  border: 1px solid var(--jp-border-color1);
  border-radius: 11px;
  background: none;
  color: var(--jp-ui-font-color1);
  font: inherit;
  font-size: 12px;
  line-height: 20px;
  cursor: pointer;
}

.jp-mcpgen-Card .jp-mcpgen-options {
  display: flex;
  flex-direction: column;
  align-items: flex-start;
  gap: 6px;
  margin-top: 6px;
}

.jp-mcpgen-Card .jp-mcpgen-parts {
  display: flex;
  flex-wrap: wrap;
  gap: 5px 6px;
  margin-top: 6px;
}

.jp-mcpgen-Card .jp-mcpgen-part {
  max-width: min(100%, 270px);
  overflow: hidden;
  text-overflow: ellipsis;
  white-space: nowrap;
  padding: 0 8px;
  border: 1px solid var(--jp-border-color2);
  border-radius: 4px;
  background: none;
  color: var(--jp-ui-font-color0);
  font: inherit;
  font-size: 12px;
  line-height: 22px;
  cursor: pointer;
}

.jp-mcpgen-Card .jp-mcpgen-part:hover:not([aria-disabled='true']),
.jp-mcpgen-Card .jp-mcpgen-part[aria-expanded='true'] {
  border-color: var(--jp-brand-color1);
  background: var(--jp-layout-color2);
}

.jp-mcpgen-Card .jp-mcpgen-partLabel {
  color: var(--jp-ui-font-color2);
}

.jp-mcpgen-Card .jp-mcpgen-chooser {
  display: flex;
  flex-direction: column;
  gap: 8px;
  margin-top: 8px;
  padding: 10px;
  border: 1px solid var(--jp-border-color2);
  border-radius: 4px;
}

.jp-mcpgen-Card .jp-mcpgen-choices {
  display: flex;
  flex-wrap: wrap;
  gap: 5px 10px;
  max-height: 170px;
  overflow-y: auto;
}

.jp-mcpgen-Card .jp-mcpgen-choices label {
  display: flex;
  align-items: center;
  gap: 4px;
}

.jp-mcpgen-Card .jp-mcpgen-chooser input:not([type='checkbox']) {
  max-width: 240px;
  padding: 3px 6px;
  border: 1px solid var(--jp-border-color1);
  border-radius: 3px;
  background: var(--jp-layout-color0);
  color: var(--jp-ui-font-color0);
  font: inherit;
}

.jp-mcpgen-Card .jp-mcpgen-editQuestion {
  margin-left: 8px;
  padding: 0;
  border: 0;
  background: none;
  color: var(--jp-content-link-color);
  font: inherit;
  font-size: var(--jp-ui-font-size0);
  cursor: pointer;
}

.jp-mcpgen-Card mark {
  padding: 0 2px;
  border-radius: 2px;
  background: color-mix(in srgb, var(--jp-warn-color1) 30%, transparent);
  color: inherit;
}

.jp-mcpgen-Card .jp-mcpgen-asked {
  display: flex;
  flex-direction: column;
  align-items: flex-start;
  gap: 8px;
}

/* readings with results stand beside each other, and below each other where that is too narrow */
.jp-mcpgen-Card .jp-mcpgen-options[data-beside='true'] {
  display: grid;
  grid-template-columns: repeat(auto-fit, minmax(220px, 1fr));
  align-items: start;
  gap: 12px 24px;
}

.jp-mcpgen-Card .jp-mcpgen-option {
  min-width: 0;
  max-width: 100%;
}

.jp-mcpgen-Card .jp-mcpgen-options .jp-mcpgen-chip {
  max-width: 100%;
  text-align: left;
  white-space: normal;
}

.jp-mcpgen-Card .jp-mcpgen-chip:hover:not([aria-disabled='true']) {
  border-color: var(--jp-brand-color1);
  background: var(--jp-layout-color2);
}

.jp-mcpgen-Card .jp-mcpgen-chip[aria-disabled='true'] {
  cursor: default;
}

.jp-mcpgen-Card .jp-mcpgen-chip[aria-disabled='true']:not([aria-pressed='true']) {
  color: var(--jp-ui-font-color2);
}

.jp-mcpgen-Card .jp-mcpgen-chip[aria-pressed='true'] {
  border-color: var(--jp-brand-color1);
  background: color-mix(in srgb, var(--jp-brand-color1) 14%, transparent);
  color: var(--jp-ui-font-color0);
  font-weight: 600;
}

/* result */

.jp-mcpgen-result {
  display: grid;
  gap: 8px 24px;
  align-items: start;
  margin-top: 12px;
}

@container (min-width: 640px) {
  .jp-mcpgen-result[data-layout='beside'] {
    grid-template-columns: minmax(0, 1.25fr) minmax(0, 1fr);
  }
}

.jp-mcpgen-chart {
  min-width: 0;
  max-height: 600px;
  overflow: hidden auto;
}

.jp-mcpgen-chart .jp-RenderedVegaCommon5,
.jp-mcpgen-chart .vega-embed {
  width: 100%;
  margin: 0;
  padding: 0;
  background: none;
}

.jp-mcpgen-chart svg {
  display: block;
}

.jp-mcpgen-chart svg text {
  fill: var(--jp-ui-font-color1);
  font-family: var(--jp-ui-font-family);
}

.jp-mcpgen-chart svg .role-axis-grid line {
  stroke: var(--jp-border-color2);
}

/* Vega's own tooltip is white in every theme; it hangs on the page, outside of the card */
#jp-mcpgen-tooltip {
  visibility: hidden;
  position: fixed;
  z-index: 1000;
  max-width: 420px;
  padding: 6px 10px;
  border: 1px solid var(--jp-border-color1);
  border-radius: 4px;
  background: var(--jp-layout-color1);
  box-shadow: var(--jp-elevation-z4);
  color: var(--jp-ui-font-color1);
  font-family: var(--jp-ui-font-family);
  font-size: var(--jp-ui-font-size0);
  overflow-wrap: anywhere;
}

#jp-mcpgen-tooltip.visible {
  visibility: visible;
}

#jp-mcpgen-tooltip td.key {
  padding-right: 8px;
  color: var(--jp-ui-font-color2);
  text-align: right;
  vertical-align: top;
}

#jp-mcpgen-tooltip td.value {
  font-variant-numeric: tabular-nums;
}

.jp-mcpgen-tablePart {
  min-width: 0;
}

/* the shadows at the bottom and right edge say that there is more; they hide under the last row and column */
.jp-mcpgen-tableScroll {
  --more: color-mix(in srgb, var(--jp-ui-font-color1) 16%, transparent);
  max-height: calc(30px * (var(--jp-mcpgen-rows, 14) + 1));
  overflow: auto;
  background:
    linear-gradient(var(--jp-layout-color1), var(--jp-layout-color1)) center bottom / 100% 14px local no-repeat,
    linear-gradient(var(--jp-layout-color1), var(--jp-layout-color1)) right center / 14px 100% local no-repeat,
    linear-gradient(to top, var(--more), transparent) center bottom / 100% 9px scroll no-repeat,
    linear-gradient(to left, var(--more), transparent) right center / 9px 100% scroll no-repeat;
}

.jp-mcpgen-Card table {
  width: 100%;
  margin: 0;
  border: none;
  border-collapse: collapse;
  font-size: var(--jp-ui-font-size1);
}

.jp-mcpgen-Card thead {
  border: none;
}

.jp-mcpgen-Card tr,
.jp-mcpgen-Card tbody tr:nth-child(odd),
.jp-mcpgen-Card tbody tr:hover {
  background: none;
}

.jp-mcpgen-Card th,
.jp-mcpgen-Card td {
  max-width: 260px;
  padding: 2px 16px 2px 0;
  border: none;
  border-bottom: 1px solid var(--jp-border-color2);
  overflow: hidden;
  text-align: left;
  text-overflow: ellipsis;
  vertical-align: baseline;
  white-space: nowrap;
}

.jp-mcpgen-Card th:last-child,
.jp-mcpgen-Card td:last-child {
  padding-right: 4px;
}

.jp-mcpgen-Card [data-side='right'] {
  font-variant-numeric: tabular-nums;
  text-align: right;
}

/* a long name takes more lines, so that the numbers below it stay in sight */
.jp-mcpgen-Card .jp-mcpgen-tableScroll th {
  white-space: normal;
  vertical-align: bottom;
  position: sticky;
  top: 0;
  background: var(--jp-layout-color1);
  color: var(--jp-ui-font-color2);
  font-size: 12px;
  font-weight: 600;
}

.jp-mcpgen-Card td[data-missing='true'] {
  color: var(--jp-ui-font-color2);
}

[data-layout='below'] .jp-mcpgen-tableScroll {
  width: fit-content;
  max-width: 100%;
}

.jp-mcpgen-Card [data-layout='below'] table {
  min-width: min(100%, 520px);
}

@container (max-width: 639px) {
  .jp-mcpgen-Card [data-layout='below'] th,
  .jp-mcpgen-Card [data-layout='below'] td {
    max-width: 165px;
  }
}

/* names stay next to each other, and the last number ends at the edge */
.jp-mcpgen-Card [data-layout='beside'] .jp-mcpgen-tableScroll th:first-child,
.jp-mcpgen-Card [data-layout='beside'] td:first-child {
  width: 1%;
  max-width: min(260px, 24cqi);
  white-space: nowrap;
}

/* alone, a narrow table keeps its numbers near their names */
[data-layout='table'] .jp-mcpgen-tableScroll {
  width: fit-content;
  max-width: 100%;
}

.jp-mcpgen-Card [data-layout='table'] table {
  width: auto;
  min-width: min(100%, 380px);
}

/* figures */

.jp-mcpgen-figures {
  display: flex;
  flex-wrap: wrap;
  align-items: last baseline;
  gap: 4px 40px;
  margin-top: 8px;
}

.jp-mcpgen-figures > div {
  min-width: 0;
}

.jp-mcpgen-figure {
  overflow-wrap: break-word;
  color: var(--jp-ui-font-color0);
  font-size: 22px;
  font-weight: 600;
  line-height: 1.3;
}

[data-kind='number'] > .jp-mcpgen-figure {
  font-size: 32px;
  font-variant-numeric: tabular-nums;
  line-height: 1.2;
}

.jp-mcpgen-tablePart > .jp-mcpgen-quiet {
  margin-top: 4px;
}

/* evidence */

.jp-mcpgen-evidence {
  margin-top: 12px;
}

.jp-mcpgen-sentence {
  display: flex;
  gap: 8px;
  color: var(--jp-ui-font-color0);
}

.jp-mcpgen-icon {
  flex: none;
  width: 15px;
  height: 15px;
  margin-top: 3px;
  fill: none;
  stroke: currentcolor;
  stroke-linecap: round;
  stroke-linejoin: round;
  stroke-width: 2;
}

.jp-mcpgen-icon.jp-mod-passed {
  color: var(--jp-success-color1);
}

.jp-mcpgen-icon.jp-mod-failed {
  color: var(--jp-error-color1);
}

.jp-mcpgen-icon.jp-mod-not_applicable {
  color: var(--jp-ui-font-color2);
}

.jp-mcpgen-icon.jp-mod-not_run {
  color: var(--jp-warn-color1);
}

.jp-mcpgen-readBy {
  color: var(--jp-ui-font-color2);
}

.jp-mcpgen-Card .jp-mcpgen-checks {
  display: grid;
  gap: 1px;
  margin: 4px 0 0 18px;
  color: var(--jp-ui-font-color1);
  font-size: 12px;
}

.jp-mcpgen-checks li {
  position: relative;
  display: flex;
  gap: 9px;
}

.jp-mcpgen-checks .jp-mcpgen-icon {
  width: 12px;
  height: 12px;
}

.jp-mcpgen-spoken {
  position: absolute;
  width: 1px;
  height: 1px;
  overflow: hidden;
  clip-path: inset(50%);
  white-space: nowrap;
}

.jp-mcpgen-notes {
  display: grid;
  grid-template-columns: 96px 1fr;
  margin-top: 5px;
  color: var(--jp-ui-font-color2);
  font-size: 12px;
}

.jp-mcpgen-sentence + .jp-mcpgen-notes {
  margin-top: 6px;
}

.jp-mcpgen-notes + .jp-mcpgen-notes {
  margin-top: 2px;
}

.jp-mcpgen-Card .jp-mcpgen-notes h4 {
  color: var(--jp-ui-font-color2);
  font-size: 12px;
  font-weight: 600;
}

/* details */

.jp-mcpgen-details {
  margin-top: 10px;
}

.jp-mcpgen-details > summary {
  display: flex;
  gap: 10px;
  align-items: baseline;
  width: fit-content;
  color: var(--jp-ui-font-color1);
  cursor: pointer;
}

.jp-mcpgen-details > summary::before {
  content: '▸';
  width: 8px;
  color: var(--jp-ui-font-color2);
}

.jp-mcpgen-details[open] > summary::before {
  content: '▾';
}

.jp-mcpgen-detailsBody {
  padding: 6px 0 2px 18px;
}

.jp-mcpgen-code .jp-RenderedMarkdown {
  padding: 0;
  font-size: 12px;
}

:is(.jp-mcpgen-Card, .jp-mcpgen-Consent, .jp-mcpgen-Panel) .jp-mcpgen-code pre {
  max-height: 320px;
  margin: 4px 0 8px;
  padding: 8px 10px;
  overflow: auto;
  border-radius: 4px;
  background: var(--jp-layout-color2);
}

:is(.jp-mcpgen-Card, .jp-mcpgen-Consent, .jp-mcpgen-Panel) .jp-mcpgen-code pre code {
  padding: 0;
  background: none;
}

.jp-mcpgen-remarks li {
  display: flex;
  gap: 8px;
  font-size: 12px;
}

.jp-mcpgen-Card .jp-mcpgen-parameters {
  font-size: 12px;
}

.jp-mcpgen-Card .jp-mcpgen-parameters td {
  overflow-wrap: anywhere;
  white-space: normal;
}

.jp-mcpgen-details dl {
  display: grid;
  grid-template-columns: max-content minmax(0, 1fr);
  gap: 1px 14px;
  overflow-wrap: anywhere;
  margin: 6px 0;
  font-size: 12px;
}

.jp-mcpgen-Card .jp-mcpgen-details dt {
  font-weight: normal;
  white-space: nowrap;
  color: var(--jp-ui-font-color2);
}

/* how far the question is: as high with Stop as without, so that nothing moves when it goes */

.jp-mcpgen-Card > .jp-mcpgen-strip {
  display: flex;
  align-items: center;
  gap: 4px 12px;
  box-sizing: border-box;
  min-height: 30px;
  margin-top: 6px;
  font-size: 12px;
}

.jp-mcpgen-Card > .jp-mcpgen-strip:last-child {
  margin-bottom: 10px;
}

.jp-mcpgen-Card .jp-mcpgen-steps {
  display: flex;
  flex: 1;
  flex-wrap: wrap;
  gap: 2px 14px;
  min-width: 0;
  margin: 0;
  padding: 0;
  list-style: none;
}

.jp-mcpgen-steps li {
  display: inline-flex;
  align-items: center;
  gap: 4px;
  color: var(--jp-ui-font-color2);
}

.jp-mcpgen-steps li[data-state='running'] {
  color: var(--jp-ui-font-color0);
  font-weight: 600;
}

.jp-mcpgen-steps li[data-state='running']::before {
  width: 7px;
  height: 7px;
  border-radius: 50%;
  background: var(--jp-brand-color1);
  content: '';
  animation: jp-mcpgen-work 1.2s ease-in-out infinite alternate;
}

.jp-mcpgen-steps li[data-state='skipped'] {
  text-decoration: line-through;
}

.jp-mcpgen-steps .jp-mcpgen-icon {
  width: 12px;
  height: 12px;
}

.jp-mcpgen-time {
  font-variant-numeric: tabular-nums;
  font-weight: normal;
  white-space: pre;
}

.jp-mcpgen-ticks {
  display: inline-flex;
}

.jp-mcpgen-Card > .jp-mcpgen-strip:not([data-state='going'])::after {
  flex: none;
  width: 58px;
  content: '';
}

:is(.jp-mcpgen-Card, .jp-mcpgen-Consent, .jp-mcpgen-Panel) .jp-mcpgen-stop {
  flex: none;
  padding: 0 12px;
  line-height: 22px;
}

@keyframes jp-mcpgen-work {
  from {
    opacity: 0.35;
  }
}

@media (prefers-reduced-motion: reduce) {
  .jp-mcpgen-steps li[data-state='running']::before,
  .jp-mcpgen-waiting {
    animation: none;
  }
}

/* decision */

.jp-mcpgen-Card > .jp-mcpgen-decision {
  margin-top: 12px;
  padding-top: 10px;
  padding-bottom: 12px;
  border-top: 1px solid var(--jp-border-color2);
  outline: none;
}

/* a question that waits for a pick has nothing to say there */
.jp-mcpgen-Card > .jp-mcpgen-decision[role='status']:empty {
  padding-top: 0;
  border-top: none;
}

.jp-mcpgen-decision:focus-visible {
  box-shadow: inset 0 2px 0 var(--jp-brand-color1);
}

.jp-mcpgen-row {
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  gap: 8px;
}

.jp-mcpgen-outcome {
  display: flex;
  gap: 8px;
}

.jp-mcpgen-Card[data-stand='live'] .jp-mcpgen-decision {
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  justify-content: space-between;
  gap: 6px 16px;
}

.jp-mcpgen-Card[data-stand='live'] [role='status'] {
  flex: 1 1 320px;
}

.jp-mcpgen-Card[data-stand='live'] .jp-mcpgen-decision > .jp-mcpgen-row {
  margin: 0;
}

[role='status']:not(:empty) + [role='group'] > .jp-mcpgen-row,
[role='status']:not(:empty) + .jp-mcpgen-row {
  margin-top: 8px;
}

.jp-mcpgen-ask {
  margin-right: 6px;
  color: var(--jp-ui-font-color0);
  font-weight: 600;
}

:is(.jp-mcpgen-Card, .jp-mcpgen-Consent, .jp-mcpgen-Panel) .jp-mcpgen-button {
  padding: 0 14px;
  border: 1px solid var(--jp-border-color1);
  border-radius: 4px;
  background: var(--jp-layout-color1);
  color: var(--jp-ui-font-color0);
  font: inherit;
  line-height: 26px;
  cursor: pointer;
}

:is(.jp-mcpgen-Card, .jp-mcpgen-Consent, .jp-mcpgen-Panel) .jp-mcpgen-button:hover {
  background: var(--jp-layout-color2);
}

:is(.jp-mcpgen-Card, .jp-mcpgen-Consent, .jp-mcpgen-Panel) .jp-mcpgen-button.jp-mod-strong {
  border-color: var(--jp-brand-color1);
  background: var(--jp-brand-color1);
  color: var(--jp-ui-inverse-font-color1);
}

:is(.jp-mcpgen-Card, .jp-mcpgen-Consent, .jp-mcpgen-Panel) .jp-mcpgen-button.jp-mod-strong:hover {
  background: var(--jp-brand-color0);
}

:is(.jp-mcpgen-Card, .jp-mcpgen-Consent, .jp-mcpgen-Panel) .jp-mcpgen-button[aria-disabled='true'] {
  cursor: progress;
  opacity: 0.65;
}

:is(.jp-mcpgen-Card, .jp-mcpgen-Consent, .jp-mcpgen-Panel) .jp-mcpgen-button:disabled {
  border-color: var(--jp-border-color2);
  background: var(--jp-layout-color2);
  color: var(--jp-ui-font-color3);
  cursor: not-allowed;
  opacity: 1;
}

:is(.jp-mcpgen-Card, .jp-mcpgen-Consent, .jp-mcpgen-Panel) .jp-mcpgen-button:focus-visible,
.jp-mcpgen-Card .jp-mcpgen-chip:focus-visible,
.jp-mcpgen-tool:focus-visible,
.jp-mcpgen-code pre:focus-visible,
.jp-mcpgen-tools :is(select, input):focus-visible,
.jp-mcpgen-Card th > button:focus-visible,
.jp-mcpgen-tableScroll:focus-visible,
.jp-mcpgen-chart:focus-visible,
.jp-mcpgen-details > summary:focus-visible,
.jp-mcpgen-reason textarea:focus-visible {
  outline: 2px solid var(--jp-brand-color1);
  outline-offset: 1px;
}

.jp-mcpgen-reason {
  display: flex;
  flex-wrap: wrap;
  gap: 8px;
  align-items: flex-end;
  margin-top: 8px;
}

.jp-mcpgen-Card .jp-mcpgen-reason > .jp-mcpgen-chips {
  flex: 1 0 100%;
}

.jp-mcpgen-reason textarea {
  flex: 1;
  box-sizing: border-box;
  min-width: 0;
  padding: 5px 8px;
  border: 1px solid var(--jp-border-color1);
  border-radius: 4px;
  background: var(--jp-input-background, var(--jp-layout-color1));
  color: var(--jp-ui-font-color0);
  font: inherit;
  resize: vertical;
}

.jp-mcpgen-off,
.jp-mcpgen-refusal {
  color: var(--jp-error-color1);
}

.jp-mcpgen-Card .jp-mcpgen-off {
  margin-top: 6px;
}

.jp-mcpgen-Card .jp-mcpgen-confirm {
  margin-bottom: 6px;
}

.jp-mcpgen-tied {
  color: var(--jp-ui-font-color2);
}

[role='status']:not(:empty) ~ .jp-mcpgen-tied {
  margin-top: 6px;
}

/* an answer normally comes within a tenth of a second; only a late one is worth a word */
.jp-mcpgen-waiting {
  color: var(--jp-ui-font-color2);
  font-size: 12px;
  animation: jp-mcpgen-appear 0.2s 1.5s both;
}

@keyframes jp-mcpgen-appear {
  from {
    opacity: 0;
  }
}

/* what can be taken from a result */

.jp-mcpgen-tools {
  min-width: 0;
  padding: 0;
  border: none;
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  gap: 4px 2px;
  grid-column: 1 / -1;
  margin-top: 6px;
  color: var(--jp-ui-font-color2);
  font-size: 12px;
}

.jp-mcpgen-tools > form {
  margin: 0;
}

.jp-mcpgen-tool {
  padding: 2px 8px;
  border: 1px solid transparent;
  border-radius: 3px;
  background: none;
  color: var(--jp-ui-font-color1);
  font: inherit;
  cursor: pointer;
}

.jp-mcpgen-tool:hover:enabled,
.jp-mcpgen-tool[aria-expanded='true'] {
  border-color: var(--jp-border-color1);
  background: var(--jp-layout-color2);
}

.jp-mcpgen-tool:disabled {
  color: var(--jp-ui-font-color2);
  cursor: default;
}

.jp-mcpgen-tools label {
  display: inline-flex;
  gap: 4px;
  align-items: center;
  margin-left: 8px;
}

.jp-mcpgen-tools select,
.jp-mcpgen-tools input,
.jp-mcpgen-chooser select {
  padding: 1px 4px;
  border: 1px solid var(--jp-border-color1);
  border-radius: 3px;
  background: var(--jp-layout-color1);
  color: var(--jp-ui-font-color1);
  font: inherit;
}

.jp-mcpgen-tools [aria-live] {
  margin-left: 8px;
}

/* the name of a column opens what can be done with it */
.jp-mcpgen-Card th > button {
  padding: 0;
  border: none;
  background: none;
  color: inherit;
  font: inherit;
  text-align: inherit;
  cursor: pointer;
}

.jp-mcpgen-Card th > button:hover,
.jp-mcpgen-Card th > button[aria-expanded='true'] {
  color: var(--jp-ui-font-color1);
  text-decoration: underline;
}

.jp-mcpgen-Card th[aria-sort='ascending'] > button::after {
  content: ' ▲' / '';
}

.jp-mcpgen-Card th[aria-sort='descending'] > button::after {
  content: ' ▼' / '';
}

.jp-mcpgen-Card .jp-mcpgen-spacer td {
  padding: 0;
  border: none;
}

.jp-mcpgen-grid {
  min-width: 0;
}

.jp-mcpgen-plainCode + h4 {
  margin: 12px 0 4px;
  font-size: 12px;
}

.jp-mcpgen-plainCode + h4,
.jp-mcpgen-detailsBody > h4 {
  color: var(--jp-ui-font-color2);
}

/* the rows behind a figure */

.jp-mcpgen-Card tr[data-opens] {
  cursor: pointer;
}

.jp-mcpgen-Card tr[data-opens]:focus-visible {
  outline: 2px solid var(--jp-brand-color1);
  outline-offset: -2px;
}

.jp-mcpgen-chart[data-opens='true'] .mark-rect path,
.jp-mcpgen-chart[data-opens='true'] .mark-arc path,
.jp-mcpgen-chart[data-opens='true'] .mark-symbol path {
  cursor: pointer;
}

.jp-mcpgen-behind {
  margin: 8px 16px;
  padding: 4px 12px;
  border-left: 2px solid var(--jp-border-color1);
}

.jp-mcpgen-behindHead {
  display: flex;
  justify-content: space-between;
  gap: 16px;
  align-items: baseline;
  margin-bottom: 6px;
  font-size: var(--jp-ui-font-size1);
}

.jp-mcpgen-diff {
  margin: 8px 16px;
}

:is(.jp-mcpgen-Card, .jp-mcpgen-Consent, .jp-mcpgen-Panel) .jp-mcpgen-diff ul {
  margin: 4px 0;
  padding-left: 20px;
}

.jp-mcpgen-Card .jp-mcpgen-fileFields {
  display: grid;
  grid-template-columns: repeat(auto-fill, minmax(190px, 1fr));
  gap: 8px 14px;
}

.jp-mcpgen-Card .jp-mcpgen-file label {
  display: flex;
  flex-direction: column;
  align-items: flex-start;
  gap: 2px;
  color: var(--jp-ui-font-color1);
}

.jp-mcpgen-Card .jp-mcpgen-file :is(input:not([type='checkbox']), select) {
  box-sizing: border-box;
  width: 100%;
  max-width: 240px;
}

.jp-mcpgen-Card .jp-mcpgen-fileNote {
  margin: 0;
}

.jp-mcpgen-Card .jp-mcpgen-fileTable {
  max-width: 100%;
  overflow-x: auto;
}

.jp-mcpgen-Card .jp-mcpgen-fileTable table {
  border-collapse: collapse;
  font-size: var(--jp-ui-font-size1);
}

.jp-mcpgen-Card .jp-mcpgen-fileTable :is(th, td) {
  padding: 2px 8px;
  border: 1px solid var(--jp-border-color2);
  text-align: left;
  white-space: nowrap;
}

.jp-mcpgen-Card .jp-mcpgen-fileLines {
  max-height: 180px;
  margin: 0;
  padding: 6px 6px 6px 36px;
  overflow: auto;
  border: 1px solid var(--jp-border-color2);
  background: var(--jp-layout-color0);
  color: var(--jp-ui-font-color0);
  font-family: var(--jp-code-font-family);
  font-size: var(--jp-code-font-size);
  white-space: pre;
}
`,""]),n.d(p,{},{A:t})},795(e,p,n){var o=n(601),r=n.n(o),a=n(314),t=(n.n(a))()(r());t.push([e.id,`/* The dialog of a request. Colours come from the theme only, as those of the card. */

.jp-mcpgen-Consent {
  box-sizing: border-box;
  width: min(860px, calc(100vw - 32px));
  max-height: calc(100vh - 48px);
  padding: 0;
  border: 1px solid var(--jp-border-color1);
  border-radius: 8px;
  background: var(--jp-layout-color1);
  box-shadow: var(--jp-elevation-z20);
  color: var(--jp-ui-font-color1);
  font-family: var(--jp-ui-font-family);
  font-size: var(--jp-ui-font-size1);
  line-height: 1.5;
}

.jp-mcpgen-Consent[open] {
  display: flex;
}

.jp-mcpgen-Consent:focus {
  outline: none;
}

.jp-mcpgen-Consent::backdrop {
  background: rgb(0 0 0 / 45%);
}

.jp-mcpgen-consent {
  display: flex;
  flex: 1;
  flex-direction: column;
  min-width: 0;
  min-height: 0;
}

.jp-mcpgen-consent > header,
.jp-mcpgen-consent > footer {
  flex: none;
  padding: 10px 20px 12px;
}

.jp-mcpgen-consent > header {
  display: flex;
  gap: 16px;
  align-items: baseline;
  justify-content: space-between;
}

.jp-mcpgen-consent > footer {
  display: grid;
  gap: 8px;
  border-top: 1px solid var(--jp-border-color2);
}

.jp-mcpgen-consent [role='status']:empty {
  display: none;
}

.jp-mcpgen-consentBody {
  flex: 1;
  min-height: 80px;
  padding: 0 20px 12px;
  overflow: auto;
}

.jp-mcpgen-consentBody:focus-visible,
.jp-mcpgen-Consent input:focus-visible,
.jp-mcpgen-Consent textarea:focus-visible,
.jp-mcpgen-Consent .jp-mcpgen-button:focus,
.jp-mcpgen-Consent .jp-mcpgen-close:focus {
  outline: 2px solid var(--jp-brand-color1);
  outline-offset: -2px;
}

.jp-mcpgen-Consent h2,
.jp-mcpgen-Consent h3,
.jp-mcpgen-Consent p,
.jp-mcpgen-Consent ul {
  margin: 0;
  padding: 0;
}

.jp-mcpgen-Consent h2 {
  color: var(--jp-ui-font-color0);
  font-size: 17px;
  font-weight: 600;
  overflow-wrap: anywhere;
}

.jp-mcpgen-Consent h3 {
  margin: 14px 0 2px;
  color: var(--jp-ui-font-color0);
  font-size: var(--jp-ui-font-size1);
  font-weight: 600;
}

.jp-mcpgen-consentBody p,
.jp-mcpgen-consentBody li {
  overflow-wrap: anywhere;
}

.jp-mcpgen-Consent .jp-mcpgen-rights,
.jp-mcpgen-Consent .jp-mcpgen-warnings {
  list-style: none;
}

.jp-mcpgen-Consent .jp-mcpgen-warnings {
  margin-top: 8px;
}

.jp-mcpgen-said {
  white-space: pre-wrap;
}

.jp-mcpgen-Consent .jp-mcpgen-diff {
  margin: 14px 0 0;
}

.jp-mcpgen-warning {
  color: var(--jp-warn-color-normal, var(--jp-warn-color1));
}

.jp-mcpgen-Consent .jp-mcpgen-code pre {
  max-height: none;
}

.jp-mcpgen-tick,
.jp-mcpgen-why {
  display: flex;
  gap: 8px;
  align-items: baseline;
}

.jp-mcpgen-why > span {
  flex: none;
  color: var(--jp-ui-font-color2);
}

.jp-mcpgen-why textarea {
  flex: 1;
  box-sizing: border-box;
  min-width: 0;
  padding: 3px 8px;
  border: 1px solid var(--jp-border-color1);
  border-radius: 4px;
  background: var(--jp-input-background, var(--jp-layout-color1));
  color: var(--jp-ui-font-color0);
  font: inherit;
  resize: vertical;
}

.jp-mcpgen-Consent .jp-mcpgen-close {
  padding: 0 10px;
  border: none;
  border-radius: 4px;
  background: none;
  color: var(--jp-ui-font-color1);
  font: inherit;
  line-height: 26px;
  cursor: pointer;
}

.jp-mcpgen-Consent .jp-mcpgen-close:hover {
  background: var(--jp-layout-color2);
}
`,""]),n.d(p,{},{A:t})},33(e,p,n){var o=n(601),r=n.n(o),a=n(314),t=n.n(a),i=n(207),c=n(795),l=n(31),d=n(76),g=n(267),s=t()(r());s.i(i.A),s.i(c.A),s.i(l.A),s.i(d.A),s.i(g.A),s.push([e.id,`
`,""]),n.d(p,{},{A:s})},76(e,p,n){var o=n(601),r=n.n(o),a=n(314),t=(n.n(a))()(r());t.push([e.id,`/* a first look at a table */

.jp-mcpgen-Overview .jp-mcpgen-suggestions {
  padding-top: 10px;
  padding-bottom: 12px;
}

.jp-mcpgen-Overview .jp-mcpgen-suggestions > ul > li {
  margin-top: 6px;
}

.jp-mcpgen-Overview .jp-mcpgen-suggestions > ul > li > .jp-mcpgen-chip {
  max-width: 100%;
}

.jp-mcpgen-Overview .jp-mcpgen-Card {
  margin-top: 8px;
}

/* a name stays as it is written */
.jp-mcpgen-Card.jp-mcpgen-Overview > .jp-mcpgen-reading h3::first-letter {
  text-transform: none;
}

/* that many columns are in the first line already */
.jp-mcpgen-Overview > .jp-mcpgen-columns .jp-mcpgen-quiet {
  display: none;
}
`,""]),n.d(p,{},{A:t})},31(e,p,n){var o=n(601),r=n.n(o),a=n(314),t=(n.n(a))()(r());t.push([e.id,`/* The side panel. Colours come from the theme only, as those of the card. */

.jp-mcpgen-Panel {
  min-width: 240px;
  overflow: hidden;
  background: var(--jp-layout-color1);
  color: var(--jp-ui-font-color1);
  font-family: var(--jp-ui-font-family);
  font-size: var(--jp-ui-font-size1);
  line-height: 1.45;
  container-type: inline-size;
}

.jp-mcpgen-Panel :is(h2, h3, h4, p, ul, ol, dl, dd) {
  margin: 0;
  padding: 0;
}

.jp-mcpgen-Panel :is(ul, ol) {
  list-style: none;
}

.jp-mcpgen-Panel :is(p, li, h3, dd) {
  overflow-wrap: anywhere;
}

.jp-mcpgen-Panel code {
  padding: 1px 3px;
  border-radius: 3px;
  background: var(--jp-layout-color2);
  color: inherit;
  font-family: var(--jp-code-font-family);
  font-size: 0.92em;
}

.jp-mcpgen-panelParts {
  display: flex;
  flex-direction: column;
  height: 100%;
}

.jp-mcpgen-panelHead {
  flex: none;
  padding: 10px 12px 0;
}

.jp-mcpgen-Panel h2 {
  color: var(--jp-ui-font-color0);
  font-size: var(--jp-ui-font-size2);
  font-weight: 600;
}

.jp-mcpgen-Panel h2:focus,
.jp-mcpgen-page h3:focus {
  outline: none;
}

.jp-mcpgen-Panel h2:focus-visible,
.jp-mcpgen-page h3:focus-visible,
.jp-mcpgen-Panel :is(button, input, textarea, summary, pre, [role='tabpanel']):focus-visible {
  outline: 2px solid var(--jp-brand-color1);
  outline-offset: -2px;
}

.jp-mcpgen-Panel h3 {
  margin: 14px 0 4px;
  color: var(--jp-ui-font-color0);
  font-size: var(--jp-ui-font-size1);
  font-weight: 600;
}

.jp-mcpgen-Panel h4 {
  margin: 14px 0 4px;
  color: var(--jp-ui-font-color0);
  font-size: var(--jp-ui-font-size1);
  font-weight: 600;
}

.jp-mcpgen-panelBody > section:first-child > h3:first-child {
  margin-top: 2px;
}

/* tabs */

.jp-mcpgen-tabs {
  display: flex;
  gap: 2px;
  margin: 8px -12px 0;
  padding: 0 8px;
  border-bottom: 1px solid var(--jp-border-color2);
}

.jp-mcpgen-tabs button {
  flex: none;
  padding: 5px 6px;
  border: none;
  border-bottom: 2px solid transparent;
  background: none;
  color: var(--jp-ui-font-color1);
  font: inherit;
  font-size: 12px;
  cursor: pointer;
}

.jp-mcpgen-tabs button:hover {
  background: var(--jp-layout-color2);
}

.jp-mcpgen-tabs button[aria-selected='true'] {
  border-bottom-color: var(--jp-brand-color1);
  color: var(--jp-ui-font-color0);
  font-weight: 600;
}

.jp-mcpgen-number {
  display: inline-block;
  min-width: 10px;
  margin-left: 2px;
  padding: 0 4px;
  border-radius: 8px;
  background: var(--jp-layout-color3);
  color: var(--jp-ui-font-color0);
  font-size: 11px;
  font-weight: 600;
  line-height: 16px;
  text-align: center;
}

/* what was done */

.jp-mcpgen-panelTold > * {
  margin: 8px 12px 0;
}

.jp-mcpgen-panelLink,
.jp-mcpgen-notice {
  padding: 6px 8px;
  border-left: 3px solid var(--jp-brand-color1);
  border-radius: 2px;
  background: var(--jp-layout-color2);
  color: var(--jp-ui-font-color0);
}

.jp-mcpgen-Panel .jp-mcpgen-notice code,
.jp-mcpgen-Panel .jp-mcpgen-panelLink code {
  background: var(--jp-layout-color3);
}

.jp-mcpgen-notice {
  max-height: 200px;
  overflow: auto;
}

.jp-mcpgen-notice[data-failed='true'],
.jp-mcpgen-panelLink[data-link='missing'] {
  border-left-color: var(--jp-error-color1);
}

.jp-mcpgen-notice li {
  display: flex;
  gap: 8px;
  align-items: start;
  justify-content: space-between;
}

.jp-mcpgen-notice li + li {
  margin-top: 4px;
}

.jp-mcpgen-panelBody {
  flex: 1;
  min-height: 0;
  padding: 10px 12px 20px;
  overflow: auto;
}

.jp-mcpgen-empty {
  padding: 6px 0;
  color: var(--jp-ui-font-color2);
}

.jp-mcpgen-off {
  color: var(--jp-error-color1);
}

/* lists */

.jp-mcpgen-entry {
  display: flex;
  gap: 8px;
  align-items: start;
  padding: 8px 0;
  border-bottom: 1px solid var(--jp-border-color2);
}

.jp-mcpgen-entry > input {
  flex: none;
  margin: 3px 0 0;
}

.jp-mcpgen-entry > .jp-mcpgen-button {
  flex: none;
}

.jp-mcpgen-entry[data-picked='true'] {
  background: color-mix(in srgb, var(--jp-brand-color1) 8%, transparent);
}

.jp-mcpgen-entryText {
  flex: 1;
  min-width: 0;
}

.jp-mcpgen-line {
  display: -webkit-box;
  overflow: hidden;
  font-size: 12px;
  -webkit-box-orient: vertical;
  -webkit-line-clamp: 3;
}

.jp-mcpgen-name,
.jp-mcpgen-open {
  color: var(--jp-ui-font-color0);
  font-weight: 600;
}

.jp-mcpgen-open {
  padding: 0;
  border: none;
  background: none;
  font: inherit;
  font-weight: 600;
  text-align: left;
  overflow-wrap: anywhere;
  cursor: pointer;
}

.jp-mcpgen-open:hover {
  text-decoration: underline;
}

.jp-mcpgen-capital::first-letter {
  text-transform: uppercase;
}

.jp-mcpgen-bulk {
  display: flex;
  flex-wrap: wrap;
  gap: 6px;
  align-items: center;
  min-height: 28px;
}

.jp-mcpgen-bulk > label {
  display: flex;
  flex: 1;
  gap: 8px;
  align-items: center;
  color: var(--jp-ui-font-color2);
  white-space: nowrap;
}

.jp-mcpgen-bulk input {
  margin: 0;
}

.jp-mcpgen-version {
  flex-wrap: wrap;
}

.jp-mcpgen-version > .jp-mcpgen-Card {
  flex-basis: 100%;
}

.jp-mcpgen-search,
.jp-mcpgen-panelReason textarea {
  box-sizing: border-box;
  width: 100%;
  padding: 4px 8px;
  border: 1px solid var(--jp-border-color1);
  border-radius: 4px;
  background: var(--jp-input-background, var(--jp-layout-color1));
  color: var(--jp-ui-font-color0);
  font: inherit;
}

.jp-mcpgen-search::placeholder {
  color: var(--jp-ui-font-color2);
}

.jp-mcpgen-panelReason {
  flex-basis: 100%;
  margin-top: 4px;
}

.jp-mcpgen-panelReason textarea {
  margin-top: 2px;
  resize: vertical;
}

.jp-mcpgen-Panel .jp-mcpgen-row {
  display: flex;
  flex-wrap: wrap;
  gap: 6px;
  align-items: center;
  margin-top: 8px;
}

.jp-mcpgen-Panel .jp-mcpgen-button {
  padding: 0 9px;
  font-size: 12px;
  line-height: 22px;
}

/* a page */

.jp-mcpgen-back {
  margin: -4px 0 0 -6px;
  padding: 2px 6px;
  border: none;
  border-radius: 4px;
  background: none;
  color: var(--jp-content-link-color);
  font: inherit;
  font-size: 12px;
  cursor: pointer;
}

.jp-mcpgen-back:hover {
  background: var(--jp-layout-color2);
}

.jp-mcpgen-page > h3 {
  margin-top: 4px;
  font-size: 15px;
}

.jp-mcpgen-Panel .jp-mcpgen-panelCard {
  margin: 8px 0;
  border: none;
  border-radius: 0;
}

.jp-mcpgen-Panel .jp-mcpgen-panelCard > * {
  padding: 0;
}

.jp-mcpgen-Panel .jp-mcpgen-panelCard .jp-mcpgen-notes {
  grid-template-columns: 1fr;
}

.jp-mcpgen-Panel .jp-mcpgen-panelCard .jp-mcpgen-tableScroll {
  max-height: 260px;
}

.jp-mcpgen-panelDecision {
  position: sticky;
  bottom: -20px;
  margin: 0 -12px -20px;
  padding: 8px 12px 14px;
  border-top: 1px solid var(--jp-border-color2);
  background: var(--jp-layout-color1);
}

.jp-mcpgen-panelDecision .jp-mcpgen-tick + .jp-mcpgen-tick {
  margin-top: 6px;
}

/* texts to copy */

.jp-mcpgen-copied {
  margin-top: 8px;
}

.jp-mcpgen-copiedHead {
  display: flex;
  gap: 8px;
  align-items: center;
  justify-content: space-between;
  color: var(--jp-ui-font-color2);
  font-size: 12px;
}

.jp-mcpgen-Panel pre {
  max-height: 220px;
  margin: 3px 0 0;
  padding: 6px 8px;
  overflow: auto;
  border-radius: 4px;
  background: var(--jp-layout-color2);
  color: var(--jp-ui-font-color0);
  font-family: var(--jp-code-font-family);
  font-size: 12px;
  line-height: 1.4;
  overflow-wrap: anywhere;
  white-space: pre-wrap;
}

/* what scrolls is the panel itself, which the keyboard reaches */
.jp-mcpgen-Panel .jp-mcpgen-code pre {
  max-height: none;
  overflow: visible;
}

.jp-mcpgen-Panel .jp-mcpgen-panelCard .jp-mcpgen-diff {
  margin: 0;
  padding: 0;
  border: none;
}

.jp-mcpgen-Panel .jp-mcpgen-diff li {
  margin-top: 4px;
}

.jp-mcpgen-Panel pre code {
  padding: 0;
  background: none;
  font-size: inherit;
}

.jp-mcpgen-Panel .jp-mcpgen-detailsBody {
  padding-left: 0;
}

.jp-mcpgen-Panel .jp-mcpgen-parameterList {
  display: block;
}

.jp-mcpgen-Panel .jp-mcpgen-parameterList dd {
  margin: 0 0 6px;
}

/* health */

.jp-mcpgen-health {
  padding: 10px 0;
  border-bottom: 1px solid var(--jp-border-color2);
}

.jp-mcpgen-health > h3 {
  display: flex;
  gap: 8px;
  align-items: start;
  margin: 0 0 2px;
}
`,""]),n.d(p,{},{A:t})},267(e,p,n){var o=n(601),r=n.n(o),a=n(314),t=(n.n(a))()(r());t.push([e.id,`/* the item in the status bar, and what a person set about movement */

.jp-mcpgen-status {
  padding: 0 6px;
  border: 0;
  background: none;
  color: inherit;
  font: inherit;
  line-height: inherit;
  white-space: nowrap;
  cursor: pointer;
}

.jp-mcpgen-status:hover {
  background: var(--jp-layout-color3);
}

.jp-mcpgen-status:focus-visible {
  outline: 2px solid var(--jp-brand-color1);
  outline-offset: -2px;
}

body[data-mcpgen-motion='off'] :is(.jp-mcpgen-steps li[data-state='running']::before, .jp-mcpgen-waiting) {
  animation: none;
}
`,""]),n.d(p,{},{A:t})},314(e){e.exports=function(e){var p=[];return p.toString=function(){return this.map(function(p){var n="",o=void 0!==p[5];return p[4]&&(n+="@supports (".concat(p[4],") {")),p[2]&&(n+="@media ".concat(p[2]," {")),o&&(n+="@layer".concat(p[5].length>0?" ".concat(p[5]):""," {")),n+=e(p),o&&(n+="}"),p[2]&&(n+="}"),p[4]&&(n+="}"),n}).join("")},p.i=function(e,n,o,r,a){"string"==typeof e&&(e=[[null,e,void 0]]);var t={};if(o)for(var i=0;i<this.length;i++){var c=this[i][0];null!=c&&(t[c]=!0)}for(var l=0;l<e.length;l++){var d=[].concat(e[l]);o&&t[d[0]]||(void 0!==a&&(void 0===d[5]||(d[1]="@layer".concat(d[5].length>0?" ".concat(d[5]):""," {").concat(d[1],"}")),d[5]=a),n&&(d[2]&&(d[1]="@media ".concat(d[2]," {").concat(d[1],"}")),d[2]=n),r&&(d[4]?(d[1]="@supports (".concat(d[4],") {").concat(d[1],"}"),d[4]=r):d[4]="".concat(r)),p.push(d))}},p}},601(e){e.exports=function(e){return e[1]}},72(e){var p=[];function n(e){for(var n=-1,o=0;o<p.length;o++)if(p[o].identifier===e){n=o;break}return n}function o(e,o){for(var r={},a=[],t=0;t<e.length;t++){var i=e[t],c=o.base?i[0]+o.base:i[0],l=r[c]||0,d="".concat(c," ").concat(l);r[c]=l+1;var g=n(d),s={css:i[1],media:i[2],sourceMap:i[3],supports:i[4],layer:i[5]};if(-1!==g)p[g].references++,p[g].updater(s);else{var m=function(e,p){var n=p.domAPI(p);return n.update(e),function(p){p?(p.css!==e.css||p.media!==e.media||p.sourceMap!==e.sourceMap||p.supports!==e.supports||p.layer!==e.layer)&&n.update(e=p):n.remove()}}(s,o);o.byIndex=t,p.splice(t,0,{identifier:d,updater:m,references:1})}a.push(d)}return a}e.exports=function(e,r){var a=o(e=e||[],r=r||{});return function(e){e=e||[];for(var t=0;t<a.length;t++){var i=n(a[t]);p[i].references--}for(var c=o(e,r),l=0;l<a.length;l++){var d=n(a[l]);0===p[d].references&&(p[d].updater(),p.splice(d,1))}a=c}}},659(e){var p={};e.exports=function(e,n){var o=function(e){if(void 0===p[e]){var n=document.querySelector(e);if(window.HTMLIFrameElement&&n instanceof window.HTMLIFrameElement)try{n=n.contentDocument.head}catch(e){n=null}p[e]=n}return p[e]}(e);if(!o)throw Error("Couldn't find a style target. This probably means that the value for the 'insert' parameter is invalid.");o.appendChild(n)}},540(e){e.exports=function(e){var p=document.createElement("style");return e.setAttributes(p,e.attributes),e.insert(p,e.options),p}},56(e,p,n){e.exports=function(e){var p=n.nc;p&&e.setAttribute("nonce",p)}},825(e){e.exports=function(e){if("u"<typeof document)return{update:function(){},remove:function(){}};var p=e.insertStyleElement(e);return{update:function(n){var o,r,a;o="",n.supports&&(o+="@supports (".concat(n.supports,") {")),n.media&&(o+="@media ".concat(n.media," {")),(r=void 0!==n.layer)&&(o+="@layer".concat(n.layer.length>0?" ".concat(n.layer):""," {")),o+=n.css,r&&(o+="}"),n.media&&(o+="}"),n.supports&&(o+="}"),(a=n.sourceMap)&&"u">typeof btoa&&(o+="\n/*# sourceMappingURL=data:application/json;base64,".concat(btoa(unescape(encodeURIComponent(JSON.stringify(a))))," */")),e.styleTagTransform(o,p,e.options)},remove:function(){var e;null===(e=p).parentNode||e.parentNode.removeChild(e)}}}},113(e){e.exports=function(e,p){if(p.styleSheet)p.styleSheet.cssText=e;else{for(;p.firstChild;)p.removeChild(p.firstChild);p.appendChild(document.createTextNode(e))}}}}]);