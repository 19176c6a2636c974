/** Base URL of the service: the page is served at `<base>/console/`. */
export const baseUrl: string = new URL('..', document.baseURI).href.replace(/\/$/, '');
