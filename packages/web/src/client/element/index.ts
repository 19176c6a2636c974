export { defineCallElement } from './call-element.ts';
