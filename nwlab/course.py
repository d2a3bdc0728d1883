"""What this course is: all that `workbook` asks of it."""
from workbook.course import Course

COURSE = Course(
    package="nwlab",
    title="Attention is a weighted average",
    about="Nadaraya-Watson kernel regression is attention pooling: a workbook",
    welcome="""A query meets a set of keys. Near keys weigh more, and the answer is the weighted average of their
values. Nadaraya and Watson each proposed this estimator in 1964. In statistics it is called kernel regression, and
today the same average is also called attention pooling. This workbook puts the idea into your hands: move the width σ,
and the fit and the attention heatmap move with it.""",
    first="00_start_here",
    exercises=("warm_up", "parzen_equivalence", "unit_sphere", "sgd_bandwidth", "consistency_rate", "worth_of_w",
               "own_pooling", "one_head", "bug_museum", "online_softmax"),
    extras=("live", "torch"),
    later={"torch": "you need it from notebook 07 on"},
    needs_machine=("07_from_kernel_to_attention", "08_learning_the_similarity",
                   "09_in_context_regression", "11_a_real_head", "14_forum_court", "sgd_bandwidth",
                   "own_pooling", "one_head"),
    slow={"torch": ("torch", "torch.nn.functional", "array_api_compat.torch", "nwlab.attention", "nwlab.training"),
          "optim": ("torch._dynamo",), "pyplot": ("matplotlib.pyplot", "matplotlib.backends.backend_agg")},
)
