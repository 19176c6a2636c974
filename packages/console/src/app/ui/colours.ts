const dark = matchMedia('(prefers-color-scheme: dark)');

/** Returns the colour that a custom property has within an element, as a canvas takes it. */
export function colourOf(element: HTMLElement, property: string): string {
  const probe = document.createElement('span');
  probe.style.color = `var(${property})`;
  element.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}

/** Calls back when the viewer changes between light and dark; returns a function that ends that. */
export function onSchemeChange(callback: () => void): () => void {
  dark.addEventListener('change', callback);
  return () => dark.removeEventListener('change', callback);
}
