"""Make BGE models of a few thousand numbers, so that the real library runs without a hub."""

from __future__ import annotations

from pathlib import Path

import torch
from tokenizers import Tokenizer, models, pre_tokenizers, processors, trainers
from transformers import (
    XLMRobertaConfig,
    XLMRobertaForSequenceClassification,
    XLMRobertaModel,
    XLMRobertaTokenizerFast,
)

LINES = [
    "the bank raised its interest rate",
    "we sat on the bank of the river",
    "the shipment left Rotterdam on Friday",
    "张伟把合同发给了李雷",
    "预算从八十万调到六十万",
    "甲方应在验收合格后三十日内付款",
]
SPECIALS = ["<s>", "<pad>", "</s>", "<unk>", "<mask>"]
WIDTH = 32


def _tokenizer() -> XLMRobertaTokenizerFast:
    tokenizer = Tokenizer(models.Unigram())
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace()
    trainer = trainers.UnigramTrainer(vocab_size=200, special_tokens=SPECIALS, unk_token="<unk>", show_progress=False)
    tokenizer.train_from_iterator(LINES, trainer)
    tokenizer.post_processor = processors.TemplateProcessing(
        single="<s> $A </s>", pair="<s> $A </s> </s> $B </s>", special_tokens=[("<s>", 0), ("</s>", 2)]
    )
    return XLMRobertaTokenizerFast(
        tokenizer_object=tokenizer,
        bos_token="<s>",
        cls_token="<s>",
        eos_token="</s>",
        sep_token="</s>",
        pad_token="<pad>",
        unk_token="<unk>",
        mask_token="<mask>",
        model_max_length=512,
    )


def _config(words: int, **options: int) -> XLMRobertaConfig:
    return XLMRobertaConfig(
        vocab_size=words,
        hidden_size=WIDTH,
        num_hidden_layers=2,
        num_attention_heads=4,
        intermediate_size=64,
        max_position_embeddings=514,
        type_vocab_size=1,
        pad_token_id=1,
        bos_token_id=0,
        eos_token_id=2,
        **options,
    )


def make_encoder(folder: Path, *, colbert: int = WIDTH, seed: int = 0) -> Path:
    """A BGE-M3 of 32 dimensions with random weights; `colbert` is the width of its token vectors."""
    torch.manual_seed(seed)
    tokenizer = _tokenizer()
    XLMRobertaModel(_config(len(tokenizer))).save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    torch.save(torch.nn.Linear(WIDTH, colbert).state_dict(), folder / "colbert_linear.pt")
    torch.save(torch.nn.Linear(WIDTH, 1).state_dict(), folder / "sparse_linear.pt")
    return folder


def make_reranker(folder: Path) -> Path:
    """A cross-encoder of 32 dimensions with random weights."""
    torch.manual_seed(0)
    tokenizer = _tokenizer()
    XLMRobertaForSequenceClassification(_config(len(tokenizer), num_labels=1)).save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder
