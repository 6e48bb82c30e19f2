// The keys in the form of a tool, which ipywidgets draws: JupyterLab would take them as commands of the notebook.

const FORM = '.jp-mcpgen-form';

/** Let fields of forms have their arrow keys and letters; only the focused element itself can say so. */
export function keepKeysInForms(): void {
  document.addEventListener('focusin', ({ target }) => {
    if (target instanceof HTMLElement && target.closest(FORM) !== null) {
      target.dataset.lmSuppressShortcuts = 'true';
    }
  });
}
