const dark = matchMedia('(prefers-color-scheme: dark)');

/** Resolves a CSS custom property of an element to a colour string for canvas. */
export function colourOf(element: HTMLElement, property: string): string {
  const probe = document.createElement('span');
  probe.style.color = `var(${property})`;
  element.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}

/** Calls back when the colour scheme changes between light and dark. Returns a function that unsubscribes. */
export function onSchemeChange(callback: () => void): () => void {
  dark.addEventListener('change', callback);
  return () => dark.removeEventListener('change', callback);
}
