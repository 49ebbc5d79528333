// A program with a planted fault where memory runs out, for tests/memory/planted.sh: what its first
// word names, or none.
// SPDX-License-Identifier: MIT
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char* fault;

static int is(const char* name) { return strcmp(fault, name) == 0; }

static int out_of_memory(char* first) {
    if (is("silent")) return 1;
    if (is("other")) return puts("another number") < 0;
    if (is("crash")) return *(volatile char*)NULL;
    if (is("file")) fclose(fopen("left", "w"));
    if (!is("leak")) free(first);
    if (is("access")) printf("%c\n", first[0]);
    fprintf(stderr, "memory is out\n");
    return is("code") ? 3 : 1;
}

int main(int count, char** words) {
    fault = count > 1 ? words[1] : "none";
    char* first = malloc(100);
    if (!first) return out_of_memory(NULL);
    memset(first, 'x', 100);
    char* second = malloc(100);
    if (!second) return out_of_memory(first);
    printf("a number\n");
    free(second);
    free(first);
    return 0;
}
