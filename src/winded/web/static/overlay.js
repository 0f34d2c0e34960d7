// What the overlay's own address asks for, its key above all, goes on to its live stream.
"use strict";
if (location.search.length > 1) document.body.dataset.live += `&${location.search.slice(1)}`;
