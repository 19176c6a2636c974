/** URL of the mount of the service: the page is at `<base>/console/`. */
export const baseUrl: string = new URL('..', document.baseURI).href.replace(/\/$/, '');
