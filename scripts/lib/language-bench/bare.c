// Greedy text from a model with libllama and nothing else: milliseconds a token, after the first few.
// usage: bare MODEL THREADS TOKENS
#include <llama.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const char *prompt =
    "<|im_start|>user\nTell the story of the lighthouse keeper in great detail.<|im_end|>\n"
    "<|im_start|>assistant\n";

static void quiet(enum ggml_log_level level, const char *text, void *data) {
    (void)level, (void)text, (void)data;
}

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

int main(int count, char **words) {
    if (count != 4) return 64;
    int threads = atoi(words[2]), wanted = atoi(words[3]);
    llama_log_set(quiet, NULL);
    llama_backend_init();
    struct llama_model *model = llama_model_load_from_file(words[1], llama_model_default_params());
    if (!model) return 69;
    struct llama_context_params settings = llama_context_default_params();
    settings.n_ctx = 2048;
    settings.n_threads = settings.n_threads_batch = threads;
    struct llama_context *context = llama_init_from_model(model, settings);
    const struct llama_vocab *vocab = llama_model_get_vocab(model);
    struct llama_sampler *sampler = llama_sampler_init_greedy();
    if (!context) return 69;

    llama_token tokens[256];
    int read = llama_tokenize(vocab, prompt, (int)strlen(prompt), tokens, 256, false, true);
    if (read <= 0 || llama_decode(context, llama_batch_get_one(tokens, read)) != 0) return 70;
    double start = seconds();
    int made = 0;
    while (made < wanted) {
        llama_token token = llama_sampler_sample(sampler, context, -1);
        if (llama_vocab_is_eog(vocab, token)) break;
        made += 1;
        if (llama_decode(context, llama_batch_get_one(&token, 1)) != 0) return 70;
    }
    printf("%.4f\n", (seconds() - start) * 1000 / (made > 0 ? made : 1));
    return 0;
}
